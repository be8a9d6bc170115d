// Functions of GNU and Linux, which Swift's Glibc module does not declare, and what they are needed for in C.
#pragma once

#include <link.h>
#include <string.h>

// Glibc's Dl_info.
typedef struct {
  const char *path;
  void *base;
  const char *symbol;
  void *address;
} people_dl_info;

int dladdr(const void *address, people_dl_info *info);

int dlinfo(void *library, int request, void *result);

int memfd_create(const char *name, unsigned int flags);

// Where calls of the function `symbol` go from a library that dlopen has returned; null if it calls none of that name. Before
// the first call of a library that is bound lazily, an address within itself.
static inline void *people_call_target(void *library, const char *symbol) {
  struct link_map *map = 0;
  if (dlinfo(library, 2 /* RTLD_DI_LINKMAP */, &map) != 0 || !map) return 0;
  const ElfW(Sym) *symbols = 0;
  const char *names = 0;
  struct {
    const ElfW(Rela) *entries;
    size_t bytes;
  } tables[2] = {{0, 0}, {0, 0}};
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    switch (entry->d_tag) {
    case DT_SYMTAB: symbols = (const ElfW(Sym) *)entry->d_un.d_ptr; break;
    case DT_STRTAB: names = (const char *)entry->d_un.d_ptr; break;
    case DT_JMPREL: tables[0].entries = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
    case DT_PLTRELSZ: tables[0].bytes = entry->d_un.d_val; break;
    case DT_RELA: tables[1].entries = (const ElfW(Rela) *)entry->d_un.d_ptr; break;
    case DT_RELASZ: tables[1].bytes = entry->d_un.d_val; break;
    }
  }
  if (!symbols || !names) return 0;
  for (int table = 0; table < 2; table++) {
    const ElfW(Rela) *entry = tables[table].entries;
    if (!entry) continue;
    for (size_t left = tables[table].bytes / sizeof *entry; left > 0; left--, entry++) {
      // Other relocations than those of functions hold no address of a function alone.
      size_t type = ELF64_R_TYPE(entry->r_info);
      if (type != R_X86_64_JUMP_SLOT && type != R_X86_64_GLOB_DAT) continue;
      if (strcmp(names + symbols[ELF64_R_SYM(entry->r_info)].st_name, symbol) != 0) continue;
      return *(void **)(map->l_addr + entry->r_offset);
    }
  }
  return 0;
}
