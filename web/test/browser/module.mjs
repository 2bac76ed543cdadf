// The WebAssembly module of the static folder under Node, without a page around it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { SITE } from './page.mjs';

/** What `cargo xtask web site` wrote as the engine. */
export function moduleBytes() {
  const folder = join(SITE, 'engine');
  return readFileSync(join(folder, readdirSync(folder).find((name) => name.endsWith('.wasm'))));
}

/** A module with a table of 64 MB; the function that comes back takes a message and gives all answers, and knows the module's memory. */
export function startModule() {
  let answers = [];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleBytes()), {
    env: {
      emit: (at, length) => answers.push(JSON.parse(new TextDecoder().decode(new Uint8Array(exports.memory.buffer, at, length)))),
      now: () => performance.now(),
    },
  });
  exports.new(64 << 20);
  const ask = (message) => {
    const bytes = new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message));
    const at = exports.alloc(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    answers = [];
    exports.call(at, bytes.length);
    exports.free(at, bytes.length);
    return answers;
  };
  ask.memory = exports.memory;
  return ask;
}
