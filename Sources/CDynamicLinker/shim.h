// dladdr is a GNU extension, which Swift's Glibc module does not declare.
#pragma once

// Glibc's Dl_info.
typedef struct {
  const char *path;
  void *base;
  const char *symbol;
  void *address;
} people_dl_info;

int dladdr(const void *address, people_dl_info *info);
