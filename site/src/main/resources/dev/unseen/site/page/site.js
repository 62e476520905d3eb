/* The documentation's script: light and dark, the menu on a phone, copy buttons, where the reader is, and the search. */
(() => {
  'use strict';
  const root = document.documentElement.dataset.root;
  const one = selector => document.querySelector(selector);
  const all = selector => [...document.querySelectorAll(selector)];

  function element(name, text, className) {
    const made = document.createElement(name);
    if (text) made.textContent = text;
    if (className) made.className = className;
    return made;
  }

  /* Light and dark. */
  function themeButton() {
    const button = one('button.theme');
    const show = () => {
      const other = Theme.current() === 'dark' ? 'Light' : 'Dark';
      button.textContent = other;
      button.setAttribute('aria-label', `Show the page in ${other.toLowerCase()} colours`);
    };
    button.addEventListener('click', Theme.toggle);
    Theme.onChange(show);
    show();
  }

  /* The menu of a phone. */
  function menu() {
    const button = one('.menu');
    const pages = one('.pages');
    const open = wanted => {
      pages.classList.toggle('open', wanted);
      button.setAttribute('aria-expanded', wanted);
      document.body.style.overflow = wanted ? 'hidden' : '';
    };
    button.addEventListener('click', () => open(!pages.classList.contains('open')));
    document.addEventListener('keydown', event => {
      if (event.key === 'Escape') open(false);
    });
    one('.pages [aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  /* Copies code; of a session at a prompt, only what was typed. */
  function copyButtons() {
    for (const block of all('.code')) {
      const button = element('button', 'Copy', 'copy');
      button.type = 'button';
      button.addEventListener('click', async () => {
        const typed = [...block.querySelectorAll('.typed')].map(line => line.textContent).join('');
        const done = await copy(typed || block.querySelector('code').textContent);
        button.textContent = done ? 'Copied' : 'Not allowed';
        button.classList.add('done');
        setTimeout(() => {
          button.textContent = 'Copy';
          button.classList.remove('done');
        }, 1500);
      });
      block.append(button);
    }
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch { // A browser may refuse the clipboard to a page from disk: the older way still works there.
      const area = element('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand('copy');
      area.remove();
      return done;
    }
  }

  /* Marks the heading that is read in the contents. */
  function contents() {
    const links = new Map(all('.contents a').map(link => [link.hash.slice(1), link]));
    const headings = all('article h2, article h3').filter(heading => links.has(heading.id));
    if (!headings.length || !one('.contents').offsetParent) return;
    const mark = () => {
      const passed = headings.filter(heading => heading.getBoundingClientRect().top < 120);
      const bottom = innerHeight + scrollY >= document.documentElement.scrollHeight - 4;
      const current = bottom ? headings.at(-1) : passed.at(-1);
      for (const [id, link] of links) {
        if (current && id === current.id) link.setAttribute('aria-current', 'true');
        else link.removeAttribute('aria-current');
      }
    };
    let waiting = false;
    addEventListener('scroll', () => {
      if (waiting) return;
      waiting = true;
      requestAnimationFrame(() => {
        waiting = false;
        mark();
      });
    }, { passive: true });
    mark();
  }

  /* ---- Search. The index is a script, loaded when it is first asked for. */

  const MOST = 24;
  let index;

  function loadIndex() {
    index ??= new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `${root}assets/search-index.js`;
      script.onload = () => resolve(SEARCH_INDEX);
      script.onerror = () => reject(new Error('the search index is missing'));
      document.head.append(script);
    });
    return index;
  }

  const wordsOf = text => text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter(Boolean);

  /* 3 for a word, 2 for its plural or the like, 1 for the start of a longer word, 0 for none. */
  function nearness(words, term) {
    let best = 0;
    for (const word of words) {
      if (word === term) return 3;
      if (word.startsWith(term)) best = Math.max(best, word.length - term.length <= 2 ? 2 : 1);
    }
    return best;
  }

  function occurrences(text, term) {
    let count = 0;
    for (let at = text.indexOf(term); at >= 0 && count < 20; at = text.indexOf(term, at + term.length)) {
      if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1])) count++;
    }
    return count;
  }

  /* A part is found if it has all terms. Titles count most, then headings, then how often the text has them. */
  function find(pages, query) {
    const terms = wordsOf(query);
    const finds = [];
    if (!terms.length) return finds;
    for (const page of pages) {
      page.titleWords ??= wordsOf(page.title);
      for (const part of page.parts) {
        const [heading, anchor, text] = part;
        part.headingWords ??= wordsOf(heading);
        part.lower ??= text.toLowerCase();
        let score = 0;
        for (const term of terms) {
          const inTitle = nearness(page.titleWords, term);
          const inHeading = nearness(part.headingWords, term);
          const inText = occurrences(part.lower, term);
          if (!inTitle && !inHeading && !inText) {
            score = 0;
            break;
          }
          // Of a page whose title has the term, its beginning comes first, not every part of it.
          score += inTitle * (heading ? 2 : 40) + inHeading * 25 + 4 * Math.log2(1 + inText);
          if (!heading && page.titleWords[0] === term) score += 20;
        }
        if (score) finds.push({ page, heading, anchor, text, terms, score: score * page.weight });
      }
    }
    return finds.sort((a, b) => b.score - a.score).slice(0, MOST);
  }

  /* Some words around the first term, with the terms marked. */
  function excerpt(find) {
    const lower = find.text.toLowerCase();
    const places = find.terms.map(term => lower.search(new RegExp(`(?<![\\p{L}\\p{N}])${term}`, 'u'))).filter(at => at >= 0);
    const first = places.length ? Math.min(...places) : 0;
    const from = first < 60 ? 0 : find.text.indexOf(' ', first - 50) + 1;
    const piece = (from ? '… ' : '') + find.text.slice(from, from + 170) + (from + 170 < find.text.length ? ' …' : '');
    return marked(piece, find.terms);
  }

  function marked(text, terms) {
    const made = element('span');
    const pattern = new RegExp(`((?<![\\p{L}\\p{N}])(?:${terms.join('|')})[\\p{L}\\p{N}]*)`, 'iu');
    text.split(pattern).forEach((piece, i) => made.append(i % 2 ? element('mark', piece) : piece));
    return made;
  }

  function search() {
    const dialog = one('dialog.search');
    const input = dialog.querySelector('input');
    const list = one('#finds');
    let chosen = 0;

    function choose(wanted) {
      const items = [...list.querySelectorAll('li[role=option]')];
      if (!items.length) return;
      chosen = (wanted + items.length) % items.length;
      items.forEach((item, i) => item.setAttribute('aria-selected', i === chosen));
      items[chosen].scrollIntoView({ block: 'nearest' });
      input.setAttribute('aria-activedescendant', items[chosen].id);
    }

    async function show() {
      const query = input.value;
      let finds;
      try {
        finds = find(await loadIndex(), query);
      } catch (failure) {
        list.replaceChildren(element('li', `Nothing can be searched: ${failure.message}.`, 'nothing'));
        return;
      }
      if (query !== input.value) return; // typed on meanwhile
      list.replaceChildren(...finds.map((each, i) => {
        const item = element('li');
        item.id = `find-${i}`;
        item.setAttribute('role', 'option');
        const link = element('a');
        link.href = root + each.page.page + (each.anchor ? `#${each.anchor}` : '');
        link.tabIndex = -1;
        const name = element('b');
        name.append(marked(each.heading || each.page.title, each.terms));
        const where = [each.page.place, each.heading ? each.page.title : ''].filter(Boolean).join(' › ');
        const text = element('p');
        text.append(excerpt(each));
        link.append(name, ' ', element('span', where, 'where'), text);
        link.addEventListener('click', () => dialog.close());
        item.append(link);
        item.addEventListener('mousemove', () => { if (chosen !== i) choose(i); });
        return item;
      }));
      if (!finds.length && query.trim()) list.append(element('li', `Nothing was found for “${query.trim()}”.`, 'nothing'));
      choose(0);
    }

    function open() {
      if (dialog.open) return;
      dialog.showModal();
      input.select();
      show();
    }

    one('.open-search').addEventListener('click', open);
    input.addEventListener('input', show);
    input.addEventListener('keydown', event => {
      if (event.key === 'ArrowDown') choose(chosen + 1);
      else if (event.key === 'ArrowUp') choose(chosen - 1);
      else if (event.key === 'Enter') list.querySelectorAll('li[role=option] a')[chosen]?.click();
      else return;
      event.preventDefault();
    });
    dialog.addEventListener('click', event => {
      if (event.target === dialog) dialog.close();
    });
    document.addEventListener('keydown', event => {
      const typing = event.target.closest('input, textarea, select, [contenteditable]');
      const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
      const k = event.key === 'k' && (event.ctrlKey || event.metaKey);
      if (slash || k) {
        event.preventDefault();
        open();
      }
    });
  }

  themeButton();
  menu();
  copyButtons();
  contents();
  search();
})();
