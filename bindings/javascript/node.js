/**
 * Imports a module of Node. Bundlers do not find it in this form, and leave it to Node, because a browser never gets here.
 */
export function nodeModule(name) {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}
