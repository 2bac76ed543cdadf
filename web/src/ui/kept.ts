// Parts of a list that stay the same elements while what they were made of stays the same.
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';

/** Makes the element of `key` anew only where `from` has changed: an element that is the same object is not compared again. */
export function useKept(): (key: string | number, from: string, make: () => JSX.Element) => JSX.Element {
  const kept = useRef(new Map<string | number, { from: string; made: JSX.Element }>());
  return (key, from, make) => {
    const old = kept.current.get(key);
    if (old?.from === from) return old.made;
    const made = make();
    kept.current.set(key, { from, made });
    return made;
  };
}
