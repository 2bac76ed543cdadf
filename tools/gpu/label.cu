// Labels Othello positions on a graphics card: the same values as `outflank train label`, bit for bit.
//
// One thread searches one position at a time: fixed-depth alpha-beta of full width, or to the end. The value of such a
// search does not depend on the order of moves, so it equals the one of the crate outflank-train, which is its test
// (see tools/gpu/README.md). Compiled by g++ (without a card) it runs on the processor: that build serves to test it.
//
// Usage: label TABLES EXACT DEPTH INPUT.samples OUTPUT.samples [INPUT OUTPUT]...
//   TABLES from `outflank train tables`; positions with at most EXACT empties are solved, others searched DEPTH discs.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#ifdef __CUDACC__
#define DEVICE __device__ __forceinline__
#define POPCOUNT(x) __popcll(x)
#define REVERSE(x) __brevll(x)
#define LOWEST(x) (__ffsll(x) - 1)
#else
#define DEVICE static inline
#define POPCOUNT(x) __builtin_popcountll(x)
#define LOWEST(x) __builtin_ctzll(x)
static inline uint64_t REVERSE(uint64_t x) {
    uint64_t r = 0;
    for (int i = 0; i < 64; i++) r |= (x >> i & 1) << (63 - i);
    return r;
}
#endif

typedef uint64_t u64;

static const int FEATURES = 46, LANES = 48, SETS = 31, FULL = 226314;
static const int MAX_PLY = 22, MAX_MOVES = 34;

// What a search reads: weights by set and full number, mobility weights, constants, row steps, rays.
struct Tables {
    const int16_t *weights;   // [SETS][FULL]
    const int16_t *mobility;  // [SETS][1024]
    const int32_t *bias;      // [65]
    const int32_t *base;      // [FEATURES]: full number of the feature's class's first configuration
    const uint32_t *rows;     // [8][256][LANES / 2]: what discs on a row add to the configurations, two lanes a word
    const uint32_t *center;   // [LANES / 2]: configurations of the empty board
    const u64 *rays;          // [64][4]: squares beyond a square towards higher indices
};

DEVICE u64 fill_moves(u64 p, u64 o, int shift, u64 mask) {
    u64 inner = o & mask;
    u64 up = inner & (p << shift), down = inner & (p >> shift);
    for (int i = 0; i < 5; i++) {
        up |= inner & (up << shift);
        down |= inner & (down >> shift);
    }
    return up << shift | down >> shift;
}

DEVICE u64 legal_moves(u64 p, u64 o) {
    const u64 inner = 0x7E7E7E7E7E7E7E7Eull;
    u64 all = fill_moves(p, o, 1, inner) | fill_moves(p, o, 7, inner) | fill_moves(p, o, 9, inner) | fill_moves(p, o, 8, ~0ull);
    return all & ~(p | o);
}

// Discs flipped towards higher indices: a carry runs through the opponent's discs of the ray.
DEVICE u64 flips_up(const u64 *rays, u64 p, u64 o) {
    u64 all = 0;
    for (int i = 0; i < 4; i++) {
        u64 ray = rays[i], low = ray & (0 - ray);
        u64 end = ((o | ~ray) + low) & p & ray;
        if (end) all |= (end - low) & ray;
    }
    return all;
}

DEVICE u64 flips(const Tables &t, int square, u64 p, u64 o) {
    return flips_up(t.rays + 4 * square, p, o) | REVERSE(flips_up(t.rays + 4 * (63 - square), REVERSE(p), REVERSE(o)));
}

DEVICE int final_units(u64 p, u64 o) {
    int a = POPCOUNT(p), b = POPCOUNT(o), d = a - b, e = 64 - a - b;
    return 128 * (d > 0 ? d + e : d < 0 ? d - e : 0);
}

DEVICE int evaluate(const Tables &t, u64 p, u64 o, u64 moves) {
    int empties = 64 - POPCOUNT(p | o);
    int set = empties / 2 < SETS ? empties / 2 : SETS - 1;
    uint32_t sum[LANES / 2];
#pragma unroll
    for (int i = 0; i < LANES / 2; i++) sum[i] = t.center[i];
    for (int row = 0; row < 8; row++) {
        const uint32_t *own = t.rows + (row * 256 + (p >> 8 * row & 255)) * (LANES / 2);
#pragma unroll
        for (int i = 0; i < LANES / 2; i++) sum[i] += own[i];
    }
    for (int row = 0; row < 8; row++) {
        const uint32_t *other = t.rows + (row * 256 + (o >> 8 * row & 255)) * (LANES / 2);
#pragma unroll
        for (int i = 0; i < LANES / 2; i++) sum[i] -= other[i];
    }
    const int16_t *weights = t.weights + (size_t)set * FULL;
    int value = t.bias[empties];
#pragma unroll
    for (int i = 0; i < FEATURES; i += 2) {
        value += weights[t.base[i] + (sum[i / 2] & 0xFFFF)];
        value += weights[t.base[i + 1] + (sum[i / 2] >> 16)];
    }
    int own = POPCOUNT(moves), other = POPCOUNT(legal_moves(o, p));
    own = own < 31 ? own : 31;
    other = other < 31 ? other : 31;
    value += t.mobility[set * 1024 + (own << 5 | other)];
    return value < -8064 ? -8064 : value > 8064 ? 8064 : value;
}

struct Frame {
    u64 p, o;
    int alpha, beta, best;
    uint8_t n, next, negate;  // moves, moves searched, whether a pass came before
    uint8_t moves[MAX_MOVES];
};

// Puts the moves of a node into the order of search; `depth` discs are left.
DEVICE void order(const Tables &t, Frame &f, u64 moves, int depth, bool to_the_end) {
    const u64 corners = 0x8100000000000081ull, bad = 0x42C300000000C342ull;
    f.n = 0;
    f.next = 0;
    if (depth < (to_the_end ? 5 : 3)) {
        u64 groups[3] = {moves & corners, moves & ~(corners | bad), moves & bad};
        for (int g = 0; g < 3; g++)
            for (u64 m = groups[g]; m; m &= m - 1) f.moves[f.n++] = LOWEST(m);
        return;
    }
    uint8_t keys[MAX_MOVES];
    for (u64 m = moves; m; m &= m - 1) {
        int square = LOWEST(m);
        u64 fl = flips(t, square, f.p, f.o);
        u64 answers = legal_moves(f.o & ~fl, f.p | fl | 1ull << square);
        int key = 2 * POPCOUNT(answers) + 2 * POPCOUNT(answers & corners) + 8;
        if (corners >> square & 1) key -= 6;
        if (bad >> square & 1) key += 3;
        int at = f.n++;
        for (; at > 0 && keys[at - 1] > key; at--) {
            keys[at] = keys[at - 1];
            f.moves[at] = f.moves[at - 1];
        }
        keys[at] = key;
        f.moves[at] = square;
    }
}

// Returns the value of a position in 1/128 disc after a search of `depth` discs; counts nodes.
DEVICE int search(const Tables &t, Frame *stack, u64 p, u64 o, int depth, u64 &nodes) {
    int top = -1;
    bool to_the_end = depth >= 64 - POPCOUNT(p | o);
    int alpha = -100000, beta = 100000;
    for (;;) {
        // Enter a node with `depth - top - 1` discs left; `value` is its value for its player.
        int left = depth - top - 1, value;
        bool negate = false, done = true;
        nodes++;
        u64 moves = legal_moves(p, o);
        if (!moves) {
            moves = legal_moves(o, p);
            if (!moves) {
                value = final_units(p, o);
            } else {
                u64 swap = p;
                p = o;
                o = swap;
                int low = alpha;
                alpha = -beta;
                beta = -low;
                negate = true;
                nodes++;
            }
        }
        if (moves) {
            if (left <= 0) {
                value = evaluate(t, p, o, moves);
                if (negate) value = -value;
            } else {
                Frame &f = stack[++top];
                f.p = p;
                f.o = o;
                f.alpha = alpha;
                f.beta = beta;
                f.best = -100000;
                f.negate = negate;
                order(t, f, moves, left, to_the_end);
                done = false;
            }
        }
        // Hand values up until a node has another move to search.
        for (;;) {
            if (done) {
                if (top < 0) return value;
                Frame &f = stack[top];
                value = -value;
                if (value > f.best) f.best = value;
                if (value > f.alpha) f.alpha = value;
            }
            Frame &f = stack[top];
            if (f.next == f.n || f.alpha >= f.beta) {
                value = f.negate ? -f.best : f.best;
                top--;
                done = true;
                continue;
            }
            int square = f.moves[f.next++];
            u64 fl = flips(t, square, f.p, f.o);
            p = f.o & ~fl;
            o = f.p | fl | 1ull << square;
            alpha = -f.beta;
            beta = -f.alpha;
            break;
        }
    }
}

#pragma pack(push, 1)
struct Sample {
    u64 p, o;
    int16_t value;
    uint8_t source, split;
};
#pragma pack(pop)

struct Task {
    u64 p, o;
};

#ifdef __CUDACC__
#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t error = call;                                                         \
        if (error != cudaSuccess) {                                                       \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));                \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

static const int BLOCK = 512;

__global__ void __launch_bounds__(BLOCK, 1)
label_kernel(Tables t, const Task *tasks, int n, int16_t *values, int exact, int depth, unsigned *next, unsigned long long *nodes) {
    extern __shared__ uint32_t shared[];
    const int words = 8 * 256 * (LANES / 2);
    for (int i = threadIdx.x; i < words; i += blockDim.x) shared[i] = t.rows[i];
    __shared__ u64 rays[256];
    __shared__ uint32_t center[LANES / 2];
    __shared__ int32_t base[FEATURES];
    if (threadIdx.x < 256) rays[threadIdx.x] = t.rays[threadIdx.x];
    if (threadIdx.x < LANES / 2) center[threadIdx.x] = t.center[threadIdx.x];
    if (threadIdx.x < FEATURES) base[threadIdx.x] = t.base[threadIdx.x];
    __syncthreads();
    t.rows = shared;
    t.rays = rays;
    t.center = center;
    t.base = base;
    Frame stack[MAX_PLY];
    u64 count = 0;
    for (;;) {
        unsigned i = atomicAdd(next, 1u);
        if (i >= (unsigned)n) break;
        Task task = tasks[i];
        int empties = 64 - POPCOUNT(task.p | task.o);
        values[i] = search(t, stack, task.p, task.o, empties <= exact ? empties : depth, count);
    }
    atomicAdd(nodes, (unsigned long long)count);
}

template <class T> static T *upload(const T *data, size_t n) {
    T *device;
    CHECK(cudaMalloc(&device, n * sizeof(T)));
    CHECK(cudaMemcpy(device, data, n * sizeof(T), cudaMemcpyHostToDevice));
    return device;
}
#endif

static std::vector<uint8_t> read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(2);
    }
    std::vector<uint8_t> bytes;
    fseek(file, 0, SEEK_END);
    bytes.resize(ftell(file));
    rewind(file);
    if (fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

static u64 fnv1a(const uint8_t *bytes, size_t n) {
    u64 hash = 0xCBF29CE484222325ull;
    for (size_t i = 0; i < n; i++) hash = (hash ^ bytes[i]) * 0x100000001B3ull;
    return hash;
}

int main(int argc, char **argv) {
    if (argc < 6 || argc % 2) {
        fprintf(stderr, "usage: label TABLES EXACT DEPTH INPUT.samples OUTPUT.samples [INPUT OUTPUT]...\n");
        return 2;
    }
    int exact = atoi(argv[2]), depth = atoi(argv[3]);
    if (exact > MAX_PLY - 2 || depth > MAX_PLY - 2) {
        fprintf(stderr, "at most %d discs ahead\n", MAX_PLY - 2);
        return 2;
    }
    std::vector<uint8_t> file = read_file(argv[1]);
    const uint8_t *at = file.data();
    Tables host;
    auto part = [&](size_t bytes) {
        const uint8_t *here = at;
        at += bytes;
        return here;
    };
    host.weights = (const int16_t *)part((size_t)SETS * FULL * 2);
    host.mobility = (const int16_t *)part(SETS * 1024 * 2);
    host.bias = (const int32_t *)part(65 * 4);
    host.base = (const int32_t *)part(FEATURES * 4);
    host.rows = (const uint32_t *)part(8 * 256 * LANES * 2);
    host.center = (const uint32_t *)part(LANES * 2);
    if (at != file.data() + file.size()) {
        fprintf(stderr, "%s: %zu bytes instead of %zu\n", argv[1], file.size(), (size_t)(at - file.data()));
        return 2;
    }
    static u64 rays[256];
    const int steps[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
    for (int square = 0; square < 64; square++)
        for (int d = 0; d < 4; d++)
            for (int x = square % 8 + steps[d][0], y = square / 8 + steps[d][1]; x >= 0 && x < 8 && y < 8; x += steps[d][0], y += steps[d][1])
                rays[4 * square + d] |= 1ull << (8 * y + x);
    host.rays = rays;
#ifdef __CUDACC__
    Tables device;
    device.weights = upload(host.weights, (size_t)SETS * FULL);
    device.mobility = upload(host.mobility, SETS * 1024);
    device.bias = upload(host.bias, 65);
    device.base = upload(host.base, FEATURES);
    device.rows = upload(host.rows, 8 * 256 * LANES / 2);
    device.center = upload(host.center, LANES / 2);
    device.rays = upload(rays, 256);
    int sms = 0;
    CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    const int shared = 8 * 256 * LANES * 2;
    CHECK(cudaFuncSetAttribute(label_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
#endif
    for (int arg = 4; arg < argc; arg += 2) {
        std::vector<uint8_t> bytes = read_file(argv[arg]);
        if (bytes.size() < 32 || memcmp(bytes.data(), "OUTFLNKS", 8)) {
            fprintf(stderr, "%s: not a sample file\n", argv[arg]);
            return 2;
        }
        size_t n = (bytes.size() - 32) / sizeof(Sample);
        Sample *samples = (Sample *)(bytes.data() + 32);
        auto empties = [&](uint32_t i) { return 64 - __builtin_popcountll(samples[i].p | samples[i].o); };
        // Similar positions side by side, the long ones first.
        std::vector<uint32_t> sorted(n);
        for (size_t i = 0; i < n; i++) sorted[i] = i;
        std::stable_sort(sorted.begin(), sorted.end(), [&](uint32_t a, uint32_t b) { return empties(a) > empties(b); });
        // Solving takes longest near EXACT empties: those first.
        std::stable_partition(sorted.begin(), sorted.end(), [&](uint32_t i) { return empties(i) <= exact; });
        std::vector<Task> tasks(n);
        for (size_t i = 0; i < n; i++) tasks[i] = {samples[sorted[i]].p, samples[sorted[i]].o};
        std::vector<int16_t> values(n);
        u64 nodes = 0;
        auto start = std::chrono::steady_clock::now();
#ifdef __CUDACC__
        Task *device_tasks = upload(tasks.data(), n);
        int16_t *device_values = upload(values.data(), n);
        unsigned zero = 0;
        unsigned long long zero_nodes = 0;
        unsigned *next = upload(&zero, 1);
        unsigned long long *device_nodes = upload(&zero_nodes, 1);
        label_kernel<<<sms, BLOCK, shared>>>(device, device_tasks, (int)n, device_values, exact, depth, next, device_nodes);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(values.data(), device_values, n * 2, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(&nodes, device_nodes, 8, cudaMemcpyDeviceToHost));
        cudaFree(device_tasks);
        cudaFree(device_values);
        cudaFree(next);
        cudaFree(device_nodes);
#else
        static Frame stack[MAX_PLY];
        for (size_t i = 0; i < n; i++) {
            int e = 64 - __builtin_popcountll(tasks[i].p | tasks[i].o);
            values[i] = search(host, stack, tasks[i].p, tasks[i].o, e <= exact ? e : depth, nodes);
        }
#endif
        double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        for (size_t i = 0; i < n; i++) {
            Sample &sample = samples[sorted[i]];
            sample.value = values[i];
            sample.source = empties(sorted[i]) <= exact ? 1 : 3;
        }
        u64 hash = fnv1a(bytes.data() + 32, bytes.size() - 32);
        memcpy(bytes.data() + 24, &hash, 8);
        FILE *out = fopen(argv[arg + 1], "wb");
        if (!out || fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() || fclose(out)) {
            perror(argv[arg + 1]);
            return 2;
        }
        printf("%s: %zu positions, %.3f G nodes, %.2f s, %.3f G nodes/s\n", argv[arg + 1], n, nodes / 1e9, seconds, nodes / 1e9 / seconds);
        fflush(stdout);
    }
    return 0;
}
