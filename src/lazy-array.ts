/** An array whose items are loaded when somebody looks at it: importing the package must not load native code. */
export function lazyArray<T>(load: () => readonly T[]): readonly T[] {
  const target: T[] = [];
  // Node prints what is behind a proxy, without asking it.
  Object.defineProperty(target, Symbol.for("nodejs.util.inspect.custom"), { value: () => [...filled()], enumerable: false });
  let loaded = false;
  const filled = () => {
    if (!loaded) {
      loaded = true;
      target.push(...load());
    }
    return target;
  };
  return new Proxy(target, {
    get: (_, key, receiver) => Reflect.get(filled(), key, receiver) as unknown,
    has: (_, key) => Reflect.has(filled(), key),
    ownKeys: () => Reflect.ownKeys(filled()),
    getOwnPropertyDescriptor: (_, key) => Reflect.getOwnPropertyDescriptor(filled(), key),
    set: () => false,
    deleteProperty: () => false,
    defineProperty: () => false,
  });
}
