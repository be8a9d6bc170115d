// Runs the filter in libobs, without OBS's windows: host MODULE SCRIPT, or only MODULE to read the script from standard input.
//
// A source pushes known frames; a second filter behind the tested one takes what comes out of it. The script has one
// command a line:
//
//   format NAME WIDTH HEIGHT   the frames from now on, in OBS's name of the format
//   colors MATRIX RANGE        601 or 709; full or limited
//   flip                       stores the rows of the frames from now on from below
//   input FILE                 raw frames of that format, planes without padding, which are pushed in turn
//   settings JSON              changes settings of the filter
//   ready                      pushes the first frame until the filter no longer tells that models are being loaded
//   fault                      pushes frames until the filter tells why frames are covered, apart from models being loaded
//   push COUNT                 pushes the next frames, one after the other, until so many have come out
//   await PIXEL...             pushes frames until the first bytes that come out have been these, in hexadecimal, give or take
//                              6, one after the other: no others between them
//   settle                     pushes frames until the filter has had nothing to tell for 25 of them
//   output FILE                appends what comes out from now on, planes without padding, to a file
//   add, remove                the filter
//   status                     prints what the filter's settings say first
//   preset NAME                chooses a preset of the studio, as a user does, and prints the settings as JSON
//   list                       prints the names of the properties
//   module FILE                loads a module of OBS's
//   time COUNT                 pushes frames at 30 a second, and prints the filter's milliseconds
//   abandon                    removes the source with all that it has, and makes a new one
//
// It prints `leaks N` in the end: allocations of libobs that are left.
#include <obs/obs-module.h>
#include <obs/obs-nix-platform.h>
#include <obs/util/platform.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PLANES 4
#define INTERVAL 40000000ull  // nanoseconds: 25 frames a second

struct layout {
    const char *name;
    enum video_format format;
    // Bytes of a sample position, and log2 of the subsampling; 0 bytes end the planes.
    struct { int bytes, across, down; } planes[PLANES];
};

static const struct layout layouts[] = {
    {"I420", VIDEO_FORMAT_I420, {{1, 0, 0}, {1, 1, 1}, {1, 1, 1}}},
    {"NV12", VIDEO_FORMAT_NV12, {{1, 0, 0}, {2, 1, 1}}},
    {"YUY2", VIDEO_FORMAT_YUY2, {{4, 1, 0}}},
    {"UYVY", VIDEO_FORMAT_UYVY, {{4, 1, 0}}},
    {"BGRA", VIDEO_FORMAT_BGRA, {{4, 0, 0}}},
    {"BGRX", VIDEO_FORMAT_BGRX, {{4, 0, 0}}},
    {"I422", VIDEO_FORMAT_I422, {{1, 0, 0}, {1, 1, 0}, {1, 1, 0}}},
    {"P010", VIDEO_FORMAT_P010, {{2, 0, 0}, {4, 1, 1}}},
    {"I40A", VIDEO_FORMAT_I40A, {{1, 0, 0}, {1, 1, 1}, {1, 1, 1}, {1, 0, 0}}},
    {"YUVA", VIDEO_FORMAT_YUVA, {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}}},
};

static const struct layout *layout = layouts;
static uint32_t width = 64, height = 48;
static enum video_colorspace matrix = VIDEO_CS_709;
static enum video_range_type range = VIDEO_RANGE_PARTIAL;
static bool flipped;
static uint8_t *input;
static size_t input_size, input_place;
static FILE *output;
static obs_source_t *source, *filter, *witness;
static uint64_t now = 1000000000ull;
static volatile uint64_t entries, exits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double *times, *cpu_times, entered_cpu;
static size_t time_count, times_wanted;
static volatile uint64_t entered;
#define PIXEL 4
static uint8_t first_pixel[PIXEL];

static void fail(const char *text, const char *detail) {
    fprintf(stderr, "host: %s: %s\n", text, detail);
    exit(1);
}

static size_t row_bytes(const struct layout *of, int plane, uint32_t across) {
    int shift = of->planes[plane].across;
    return (size_t)((across + (1u << shift) - 1) >> shift) * (size_t)of->planes[plane].bytes;
}

static size_t rows(const struct layout *of, int plane, uint32_t down) {
    int shift = of->planes[plane].down;
    return (down + (1u << shift) - 1) >> shift;
}

static size_t frame_bytes(void) {
    size_t bytes = 0;
    for (int p = 0; p < PLANES && layout->planes[p].bytes; p++) bytes += row_bytes(layout, p, width) * rows(layout, p, height);
    return bytes;
}

// MARK: - The filters around the tested one

static double thread_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static const char *name_of(void *data) { return data; }
static void *create(obs_data_t *settings, obs_source_t *owner) {
    (void)settings;
    return owner;
}
static void destroy(void *data) { (void)data; }

static struct obs_source_frame *enter(void *data, struct obs_source_frame *frame) {
    (void)data;
    entered = os_gettime_ns();
    entered_cpu = thread_time();
    entries++;
    return frame;
}

static void write_frame(const struct obs_source_frame *frame) {
    const struct layout *of = NULL;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (layouts[i].format == frame->format) of = &layouts[i];
    if (!of) fail("a format that is not known comes out", "");
    for (int p = 0; p < PLANES && of->planes[p].bytes; p++)
        for (size_t y = 0; y < rows(of, p, frame->height); y++)
            fwrite(frame->data[p] + y * frame->linesize[p], 1, row_bytes(of, p, frame->width), output);
}

static struct obs_source_frame *leave(void *data, struct obs_source_frame *frame) {
    (void)data;
    if (!frame) return NULL;
    pthread_mutex_lock(&lock);
    if (time_count < times_wanted) times[time_count] = (double)(os_gettime_ns() - entered) / 1e6;
    if (time_count < times_wanted) cpu_times[time_count++] = thread_time() - entered_cpu;
    if (output) write_frame(frame);
    memcpy(first_pixel, frame->data[0], PIXEL);
    exits++;
    pthread_mutex_unlock(&lock);
    return frame;
}

static void add_kind(const char *id, enum obs_source_type type,
                     struct obs_source_frame *(*see)(void *, struct obs_source_frame *)) {
    struct obs_source_info info = {0};
    info.id = id;
    info.type = type;
    info.output_flags = OBS_SOURCE_ASYNC_VIDEO;
    info.get_name = name_of;
    info.type_data = (void *)id;
    info.create = create;
    info.destroy = destroy;
    info.filter_video = see;
    obs_register_source(&info);
}

// MARK: - Frames

static void push(const uint8_t *pixels) {
    struct obs_source_frame frame = {0};
    frame.format = layout->format;
    frame.width = width;
    frame.height = height;
    frame.timestamp = now;
    frame.flip = flipped;
    frame.full_range = range == VIDEO_RANGE_FULL;
    video_format_get_parameters_for_format(
        matrix, range, frame.format, frame.color_matrix, frame.color_range_min, frame.color_range_max);
    for (int p = 0; p < PLANES && layout->planes[p].bytes; p++) {
        frame.data[p] = (uint8_t *)pixels;
        frame.linesize[p] = (uint32_t)row_bytes(layout, p, width);
        pixels += row_bytes(layout, p, width) * rows(layout, p, height);
    }
    obs_source_output_video(source, &frame);
}

// Pushes one frame, and waits until the filters have taken it. Returns whether a frame has come out.
static bool push_and_wait(const uint8_t *pixels) {
    uint64_t entries_before = entries, exits_before = exits;
    push(pixels);
    for (int i = 0; entries == entries_before; i++) {
        if (i > 600000) fail("no frame is processed", "");
        os_sleep_ms(1);
    }
    // The filters run under the lock that this needs.
    obs_source_release_frame(source, obs_source_get_frame(source));
    now += INTERVAL;
    return exits != exits_before;
}

static const uint8_t *next_frame(void) {
    size_t bytes = frame_bytes();
    if (input_size < bytes) fail("the input is shorter than a frame", "");
    if (input_place + bytes > input_size) input_place = 0;
    const uint8_t *pixels = input + input_place;
    input_place += bytes;
    return pixels;
}

static void read_input(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) fail("cannot read", path);
    fseek(file, 0, SEEK_END);
    input_size = (size_t)ftell(file);
    rewind(file);
    input = realloc(input, input_size + 1);
    input_place = 0;
    if (fread(input, 1, input_size, file) != input_size) fail("cannot read", path);
    fclose(file);
}

// MARK: - Commands

static void make_source(void) {
    source = obs_source_create_private("test_frames", "camera", NULL);
    obs_source_set_async_unbuffered(source, true);
    obs_source_t *first = obs_source_create_private("test_enter", "enter", NULL);
    obs_source_filter_add(source, first);
    obs_source_release(first);
    witness = obs_source_create_private("test_leave", "leave", NULL);
    obs_source_filter_add(source, witness);
}

static void drop_source(void) {
    obs_source_release(witness);
    obs_source_release(filter);
    obs_source_release(source);
    filter = witness = source = NULL;
}

static void add_filter(void) {
    filter = obs_source_create_private("gst_people_background", "people", NULL);
    if (!filter) fail("the module has no such filter", "gst_people_background");
    obs_source_filter_add(source, filter);
    // The witness comes last.
    obs_source_filter_set_order(source, witness, OBS_ORDER_MOVE_BOTTOM);
}

static void remove_filter(void) {
    obs_source_filter_remove(source, filter);
    obs_source_release(filter);
    filter = NULL;
}

// Returns what the filter's settings say first, to be freed; NULL for nothing.
static char *status(void) {
    obs_properties_t *all = obs_source_properties(filter);
    obs_property_t *line = obs_properties_get(all, "status");
    char *text = line ? strdup(obs_property_description(line)) : NULL;
    obs_properties_destroy(all);
    return text;
}

static void push_many(int count) {
    for (int i = 0; count > 0; i++) {
        if (push_and_wait(next_frame())) count--;
        else os_sleep_ms(1);
        if (i > 1000000) fail("no frame comes out", "");
    }
}

static bool is_pixel(const char *hex) {
    pthread_mutex_lock(&lock);
    bool same = strlen(hex) <= 2 * PIXEL;
    for (size_t i = 0; same && hex[2 * i]; i++) {
        unsigned value;
        if (sscanf(hex + 2 * i, "%2x", &value) != 1) fail("malformed", hex);
        same = abs((int)value - first_pixel[i]) <= 6;
    }
    pthread_mutex_unlock(&lock);
    return same;
}

// Steps between colours may be seen: a pixel that is none of the awaited ones counts as the one before.
static void await_pixels(char *words) {
    const char *wanted[16];
    int count = 0, seen = 0;
    for (char *word = strtok(words, " "); word && count < 16; word = strtok(NULL, " ")) wanted[count++] = word;
    for (int i = 0; seen < count; i++) {
        if (i > 6000) fail("these pixels do not come out one after the other", wanted[seen]);
        push_many(1);
        os_sleep_ms(10);
        if (is_pixel(wanted[seen])) {
            seen++;
            continue;
        }
        if (seen > 0 && is_pixel(wanted[seen - 1])) continue;
        for (int other = count - 1; other >= 0; other--)
            if (is_pixel(wanted[other])) seen = other == 0;
    }
}

static void settle(void) {
    // OBS hands settings over with its next ticks.
    push_many(2);
    for (int calm = 0; calm < 25;) {
        char *text = status();
        calm = text ? 0 : calm + 1;
        free(text);
        push_many(1);
    }
}

// Returns whether the filter tells that models are being loaded; `fault` gets whether it tells something else.
static bool is_loading(bool *fault) {
    char *text = status();
    bool loading = text && strstr(text, "being loaded");
    *fault = text && !loading;
    free(text);
    return loading;
}

static void wait_until_ready(void) {
    const uint8_t *pixels = next_frame();
    bool fault;
    input_place = 0;
    for (int i = 0;; i++) {
        if (output) fail("set the output after this", "ready");
        push_and_wait(pixels);
        if (!is_loading(&fault)) break;
        if (i > 6000) fail("the models are not loaded", "");
        os_sleep_ms(20);
    }
    input_place = frame_bytes() % input_size;
}

static void wait_for_fault(void) {
    bool fault = false;
    for (int i = 0; !fault; i++) {
        if (i > 6000) fail("there is no fault", "");
        push_many(1);
        is_loading(&fault);
        os_sleep_ms(20);
    }
}

static void list(obs_properties_t *all) {
    for (obs_property_t *p = obs_properties_first(all); p; obs_property_next(&p)) {
        if (obs_property_get_type(p) == OBS_PROPERTY_GROUP) list(obs_property_group_content(p));
        else printf("%s\n", obs_property_name(p));
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(size_t count) {
    times = calloc(count, sizeof *times);
    cpu_times = calloc(count, sizeof *cpu_times);
    pthread_mutex_lock(&lock);
    (time_count = 0), (times_wanted = count);
    pthread_mutex_unlock(&lock);
    struct timespec before, after;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
    uint64_t next = os_gettime_ns();
    size_t pushes = 0;
    for (; time_count < count; pushes++) {
        push_and_wait(next_frame());
        os_sleepto_ns(next += 33333333);
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
    double spent = (double)(after.tv_sec - before.tv_sec) * 1e3 + (double)(after.tv_nsec - before.tv_nsec) / 1e6;
    pthread_mutex_lock(&lock);
    times_wanted = 0;
    pthread_mutex_unlock(&lock);
    qsort(times, count, sizeof *times, ascending);
    qsort(cpu_times, count, sizeof *cpu_times, ascending);
    printf("median %.2f ms, 99th %.2f ms; of this thread's CPU %.2f ms, 99th %.2f ms; process %.2f ms of CPU a frame\n",
           times[count / 2], times[count * 99 / 100], cpu_times[count / 2], cpu_times[count * 99 / 100],
           spent / (double)pushes);
    free(times);
    free(cpu_times);
    times = NULL;
}

static void set_format(const char *words) {
    char name[16];
    if (sscanf(words, "%15s %u %u", name, &width, &height) != 3) fail("malformed", words);
    layout = NULL;
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        if (!strcmp(layouts[i].name, name)) layout = &layouts[i];
    if (!layout) fail("no such format", name);
}

static void set_colors(const char *words) {
    matrix = strstr(words, "601") ? VIDEO_CS_601 : VIDEO_CS_709;
    range = strstr(words, "full") ? VIDEO_RANGE_FULL : VIDEO_RANGE_PARTIAL;
}

static void set_settings(const char *json) {
    obs_data_t *data = obs_data_create_from_json(json);
    if (!data) fail("malformed", json);
    obs_source_update(filter, data);
    obs_data_release(data);
}

static void choose_preset(const char *name) {
    obs_properties_t *all = obs_source_properties(filter);
    obs_property_t *list = obs_properties_get(all, "preset");
    if (!list) fail("there is no preset", name);
    obs_data_t *settings = obs_source_get_settings(filter);
    obs_data_set_string(settings, "preset", name);
    bool is_used = obs_property_modified(list, settings);
    if (is_used) obs_source_update(filter, NULL);
    printf("preset %s\n", is_used ? obs_data_get_json(settings) : "refused");
    obs_data_release(settings);
    obs_properties_destroy(all);
}

static void load_module(const char *path) {
    obs_module_t *module;
    if (obs_open_module(&module, path, NULL) != MODULE_SUCCESS) fail("cannot open", path);
    if (!obs_init_module(module)) fail("cannot load", path);
}

static void run(char *line) {
    line[strcspn(line, "\n")] = 0;
    char *rest = strchr(line, ' ');
    rest = rest ? (*rest = 0, rest + 1) : line + strlen(line);
    if (!*line || *line == '#') return;
    if (!strcmp(line, "format")) set_format(rest);
    else if (!strcmp(line, "colors")) set_colors(rest);
    else if (!strcmp(line, "flip")) flipped = true;
    else if (!strcmp(line, "input")) read_input(rest);
    else if (!strcmp(line, "settings")) set_settings(rest);
    else if (!strcmp(line, "ready")) wait_until_ready();
    else if (!strcmp(line, "fault")) wait_for_fault();
    else if (!strcmp(line, "push")) push_many(atoi(rest));
    else if (!strcmp(line, "await")) await_pixels(rest);
    else if (!strcmp(line, "settle")) settle();
    else if (!strcmp(line, "preset")) choose_preset(rest);
    else if (!strcmp(line, "add")) add_filter();
    else if (!strcmp(line, "remove")) remove_filter();
    else if (!strcmp(line, "module")) load_module(rest);
    else if (!strcmp(line, "abandon")) drop_source(), make_source();
    else if (!strcmp(line, "time")) measure((size_t)atoi(rest));
    else if (!strcmp(line, "list")) {
        obs_properties_t *all = obs_source_properties(filter);
        list(all);
        obs_properties_destroy(all);
    } else if (!strcmp(line, "status")) {
        char *text = status();
        printf("status %s\n", text ? text : "none");
        free(text);
    } else if (!strcmp(line, "output")) {
        pthread_mutex_lock(&lock);
        if (output) fclose(output);
        output = *rest ? fopen(rest, "wb") : NULL;
        pthread_mutex_unlock(&lock);
    } else fail("no such command", line);
    fflush(stdout);
}

static void start(const char *module_path) {
    obs_set_nix_platform(OBS_NIX_PLATFORM_X11_EGL);
    if (!obs_startup("en-US", NULL, NULL)) fail("libobs does not start", "");
    struct obs_video_info video = {
        .graphics_module = "libobs-opengl", .fps_num = 60, .fps_den = 1, .base_width = 320, .base_height = 180,
        .output_width = 320, .output_height = 180, .output_format = VIDEO_FORMAT_NV12, .gpu_conversion = true,
        .colorspace = VIDEO_CS_709, .range = VIDEO_RANGE_PARTIAL, .scale_type = OBS_SCALE_BILINEAR,
    };
    if (obs_reset_video(&video) != OBS_VIDEO_SUCCESS) fail("libobs has no video", "is there an X server?");
    struct obs_audio_info audio = {.samples_per_sec = 48000, .speakers = SPEAKERS_STEREO};
    if (!obs_reset_audio(&audio)) fail("libobs has no audio", "");
    add_kind("test_frames", OBS_SOURCE_TYPE_INPUT, NULL);
    add_kind("test_enter", OBS_SOURCE_TYPE_FILTER, enter);
    add_kind("test_leave", OBS_SOURCE_TYPE_FILTER, leave);
    load_module(module_path);
}

static void no_task(void *unused) { (void)unused; }

// Waits until the drawing thread, which uses sources as it ticks, holds none that was given up before.
static void wait_for_drawing(void) {
    obs_queue_task(OBS_TASK_GRAPHICS, no_task, NULL, true);
    obs_wait_for_destroy_queue();
}

int main(int count, char **words) {
    if (count < 2 || count > 3) fail("usage", "host MODULE [SCRIPT]");
    FILE *script = count == 3 ? fopen(words[2], "r") : stdin;
    if (!script) fail("cannot read", words[2]);
    start(words[1]);
    make_source();
    char line[65536];
    while (fgets(line, sizeof line, script)) run(line);
    drop_source();
    wait_for_drawing();
    obs_shutdown();
    if (output) fclose(output);
    free(input);
    printf("leaks %ld\n", bnum_allocs());
    return 0;
}
