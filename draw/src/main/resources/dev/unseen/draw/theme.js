/* Light or dark: the reader's choice if one was made here, else the system's. Runs before the first paint. */
const Theme = (() => {
  'use strict';
  const KEY = 'unseen-theme';
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const listeners = [];

  function stored() {
    try {
      return localStorage.getItem(KEY);
    } catch {
      return null; // A browser may refuse storage to pages from disk: the system's choice holds then.
    }
  }

  function show(theme) {
    if (document.documentElement.dataset.theme !== theme) {
      document.documentElement.dataset.theme = theme;
      listeners.forEach(listener => listener(theme));
    }
  }

  function choose(theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Not kept, but shown.
    }
    show(theme);
  }

  const preferred = () => stored() ?? (dark.matches ? 'dark' : 'light');
  dark.addEventListener('change', () => show(preferred()));
  show(preferred());

  return {
    show,
    preferred,
    current: () => document.documentElement.dataset.theme,
    toggle: () => choose(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'),
    onChange: listener => listeners.push(listener),
  };
})();
