/* Prints what the engine finds about a game: analyze f5d6c3 */
#include "outflank.h"

#include <stdio.h>
#include <string.h>

static void print(void *context, const char *answer, size_t length) {
    (void)context;
    (void)length;
    puts(answer);
}

int main(int count, char **words) {
    const char *game = count > 1 ? words[1] : "f5d6c3";
    char message[1024];
    int length = snprintf(message, sizeof message,
        "{\"id\":1,\"call\":\"analyze\",\"input\":{\"text\":\"%s\"},\"limits\":{\"depth\":10}}", game);
    if (length < 0 || (size_t)length >= sizeof message) {
        fputs("the game is too long\n", stderr);
        return 2;
    }
    printf("Outflank %s\n", outflank_version());
    struct Outflank *engine = outflank_new(16 << 20);
    bool answered = outflank_call(engine, message, (size_t)length, print, NULL);
    outflank_free(engine);
    return answered ? 0 : 1;
}
