// SPDX-License-Identifier: Apache-2.0
// The library that draws charts. It is larger than all the rest of a page, and is not asked for before a chart is in sight.

/** Milliseconds until it is asked for again when it did not arrive. */
const AGAIN = 3000;

let loading = null;

/** Loads the library, once. */
export function loadLibrary() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement('script');
    script.src = document.querySelector('meta[name=chart-library]').content;
    script.addEventListener('load', done);
    script.addEventListener('error', failure => {
      loading = null;
      script.remove();
      failed(failure);
    });
    document.head.append(script);
  });
  return loading;
}

/** Loads it when one of some elements comes into sight, or when somebody may be about to print them. Then it calls back. */
export function loadWhenSeen(elements, then) {
  const load = () => loadLibrary().then(then, () => setTimeout(load, AGAIN));
  const sight = new IntersectionObserver(entries => {
    if (!entries.some(entry => entry.isIntersecting)) return;
    sight.disconnect();
    load();
  });
  elements.forEach(element => sight.observe(element));
  addEventListener('keydown', pressed => {
    if ((pressed.ctrlKey || pressed.metaKey) && !window.echarts) load();
  });
}
