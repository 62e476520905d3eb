/* Fills the page from the report. Rates are in percent.

   targets     the limits of FPR at which families are compared
   grounds     stream, records, distinct, memoryBytes, repeats, bitsPerKey, bound (pairs of FPR and FNR, or empty), families: name,
               role ("paper", "plain", "own", "rival" or "exact"), default (whether it is a family with the settings that users get by
               default, whose points the family has, too), points: setting, fpr, fnr, frontier; best: for each
               target setting, fpr, fnr, sd (of FNR between runs, if known), ratio (to the best of the paper's five), or null */
(() => {
  'use strict';

  const MAIN = 0.1; // percent: the target that sorts the tables
  const {report, byId, isNumber, grouped, element, table} = Page;
  const grounds = report.grounds ?? [];
  const targets = report.targets ?? [];
  const main = Math.max(0, targets.indexOf(MAIN));

  const groundId = i => `ground-${i + 1}`;
  const bits = ground => `${+ground.bitsPerKey.toPrecision(3)}\u00a0bits per key`;
  const names = [...new Set(grounds.flatMap(g => g.families.filter(f => !f.default).map(f => f.name)))];
  Charts.ours([...new Set(grounds.flatMap(g => g.families.filter(f => f.role === 'own').map(f => f.name)))]);

  /** Three digits that count. */
  function short(value) {
    return value === 0 ? '0' : value < 1e-4 ? value.toExponential(1) : String(+value.toPrecision(3));
  }

  /** The families of a ground, the lowest FNR at a target first; those that do not reach it last. */
  function ranked(ground, target) {
    const fnr = family => family.best[target]?.fnr ?? Infinity;
    return [...ground.families].sort((a, b) => fnr(a) - fnr(b) || 0);
  }

  const winner = (ground, target) => ranked(ground, target).find(f => f.best[target]);

  // Summary

  function summary() {
    if (grounds.length === 0) {
      byId('headline').remove();
      return;
    }
    const settings = grounds.reduce((sum, g) => sum + g.repeats * g.families.filter(f => !f.default).reduce((n, f) => n + f.points.length, 0), 0);
    const streams = new Set(grounds.map(g => g.stream)).size;
    byId('headline').append(element('strong', {}, `${grouped(settings)} runs`),
      ` of ${names.length} structures on ${streams} ${streams === 1 ? 'stream' : 'streams'}, ${grounds.length} `
      + `${grounds.length === 1 ? 'size' : 'sizes'} of memory in all.`);
    byId('overview').append(table('The best of each stream and memory',
      ['stream', 'bits per key', ...targets.map(t => `lowest FNR at FPR \u2264 ${t}\u00a0%`)],
      grounds.map((ground, i) => element('tr', {},
        element('th', {scope: 'row'}, element('a', {href: `#${groundId(i)}`}, ground.stream)),
        element('td', {}, String(+ground.bitsPerKey.toPrecision(3))),
        ...targets.map((_, t) => {
          const best = winner(ground, t);
          return best ? bestCell(best.best[t], best.name) : element('td', {}, '\u2013');
        })))));
  }

  function bestCell(best, name) {
    const detail = [name ?? '', name ? '' : best.setting, name ? '' : `FPR ${short(best.fpr)}\u00a0%`,
      isNumber(best.ratio) ? `\u00d7${best.ratio.toFixed(2)}` : ''].filter(Boolean).join(', ');
    return element('td', {}, `${short(best.fnr)}\u00a0%${isNumber(best.sd) ? ` \u00b1\u00a0${short(+best.sd.toPrecision(2))}` : ''}`, element('span.detail', {}, detail));
  }

  // Streams

  function groundView(ground, number) {
    const state = {hidden: new Set()};
    const host = element('div.chart', {role: 'img', 'aria-label': describe(ground)});
    let entry = null;
    const charts = () => {
      entry ??= Charts.frontier(host, ground, state);
      return [entry];
    };
    const series = [...ground.families.map(f => f.name), ...(ground.bound?.length ? ['Information bound'] : [])];
    const title = `${ground.stream}, ${bits(ground)}`;
    const node = element('figure.figure.frontier', {id: groundId(number - 1), 'data-ground': title},
      element('figcaption', {}, element('h3', {}, element('b', {}, `${number}.`), title),
        element('span.panel-note', {}, `${grouped(ground.records)} records, ${grouped(ground.distinct)} distinct, ${grouped(ground.memoryBytes)} bytes, ${ground.repeats} ${ground.repeats === 1 ? 'run' : 'runs'} each`)),
      Page.legend('Families', series, state, charts), host,
      table(`The best settings on ${title}`, ['family', ...targets.map(t => `FNR at FPR \u2264 ${t}\u00a0%`)],
        ranked(ground, main).map(family => element('tr', {}, element('th', {scope: 'row'}, family.name),
          ...family.best.map(best => (best ? bestCell(best) : element('td', {}, '\u2013')))))));
    return {node, start: charts};
  }

  function describe(ground) {
    const best = ranked(ground, main).filter(f => f.best[main]).map(f => `${f.name} ${short(f.best[main].fnr)}`);
    return `FNR against FPR on ${ground.stream}, ${bits(ground)}. FNR in percent at an FPR of at most ${MAIN} percent: ${best.join(', ')}.`;
  }

  summary();
  const views = grounds.map((ground, i) => groundView(ground, i + 1));
  Page.fill('figures', views.map(view => view.node));
  Page.startAll(views);
  Page.finish([['figures', 'Streams', grounds.map((ground, i) => [groundId(i), `${ground.stream}, ${bits(ground)}`])]]);
})();
