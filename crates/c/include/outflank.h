/* Outflank for programs in C. Made of crates/c/src/abi.rs: UPDATE_HEADER=1 cargo test -p outflank-c */

#ifndef OUTFLANK_H
#define OUTFLANK_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 Engines with their memory. Any thread may use them, one call at a time.
 */
typedef struct Outflank Outflank;

/*
 Hears an answer: its bytes, which end with a zero that `length` does not count and are gone when it returns, and the
 `context` that was given to the call.
 */
typedef void (*OutflankOnAnswer)(void *context, const char *answer, size_t length);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 Returns the version of the library; the text lives as long as the program.
 */
const char *outflank_version(void);

/*
 Makes engines with tables of so many bytes, which are reserved when a search needs them. Never returns NULL.
 */
struct Outflank *outflank_new(uint64_t table_bytes);

/*
 Answers one message of `length` bytes in UTF-8 before it returns: `on_answer` hears every answer as soon as it is there.
 Returns `false` and answers nothing where another call runs with these engines.

 # Safety

 `engine` comes from [`outflank_new`] and was not freed; `text` has `length` bytes; `on_answer` can be called with `context`.
 */
bool outflank_call(const struct Outflank *engine,
                   const char *text,
                   size_t length,
                   OutflankOnAnswer on_answer,
                   void *context);

/*
 Ends the call that runs, if one does: it answers with what it has found. Any thread may ask, also `on_answer`.

 # Safety

 `engine` comes from [`outflank_new`] and was not freed.
 */
void outflank_stop(const struct Outflank *engine);

/*
 Gives engines back with their memory; NULL is nothing to do.

 # Safety

 `engine` comes from [`outflank_new`], was not freed, and no call uses it.
 */
void outflank_free(struct Outflank *engine);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* OUTFLANK_H */
