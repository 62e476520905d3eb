/* The live page: numbers come once a second as server-sent events; the past of a filter is asked for once.
   An event: {millis, severity, verdict, server: {the numbers of measures.txt that this server has}, errors, requestsWithin: [[seconds,
   count so far]], filters: [{severity, advice, held, fits, fullIn, name, fresh, duplicates, evictedEarly, about, measures, alarms, window}],
   fresh, duplicates, slow: [{command, micros, millis}]}. Filters are the hundred most urgent; fresh and duplicates are those of all. */
(() => {
  'use strict';
  const HISTORY = 3600; // seconds
  const PATIENCE = 4000; // milliseconds without an event until the link counts as lost
  const $ = id => document.getElementById(id);
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  let now = null; // the last event
  let before = null; // the one before it
  let chosen = null; // the name of a filter; null: all
  let shown = 300; // seconds of the chart
  let lastHeard = 0;
  const past = {fresh: [], duplicates: []}; // of what is shown, second by second; the last is the latest

  /* Words for numbers. */
  const whole = new Intl.NumberFormat('en-US', {maximumFractionDigits: 0});
  function count(n) {
    if (n < 1e6) return whole.format(n);
    const units = [[1e12, ' trillion'], [1e9, ' billion'], [1e6, ' million']];
    const [size, name] = units.find(([size]) => n >= size);
    return (n / size).toPrecision(3) + name;
  }
  function short(n) {
    const [size, name] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([size]) => n >= 10 * size) ?? [1, ''];
    return whole.format(n / size) + name;
  }
  function bytes(n) {
    let unit = 0;
    while (n >= 1024 && unit < 4) { n /= 1024; unit++; }
    return (unit === 0 ? n : n.toPrecision(3)) + ' ' + ['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit];
  }
  function share(x) {
    if (x === undefined || x === null) return '–'; // not known
    const percent = x * 100;
    if (percent === 0 || percent === 100) return percent + ' %';
    if (percent < 0.001) return '< 0.001 %';
    return (percent >= 10 ? percent.toFixed(1) : percent.toPrecision(2)) + ' %';
  }
  function ago(millis) {
    const seconds = Math.max(0, Math.round((now.millis - millis) / 1000));
    if (seconds < 60) return seconds + ' s ago';
    if (seconds < 3600) return Math.floor(seconds / 60) + ' min ago';
    return Math.floor(seconds / 3600) + ' h ago';
  }
  function span(seconds) {
    const units = [[86400, ' d'], [3600, ' h'], [60, ' min']];
    const [size, name] = units.find(([size]) => seconds >= 2 * size) ?? [1, ' s'];
    return whole.format(Math.floor(seconds / size)) + name;
  }
  function element(name, text, attributes = {}) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    return made;
  }

  /* The time within which 99 % of the requests since the last event were answered. */
  function latency() {
    if (!before) return '…';
    const counts = now.requestsWithin.map(([seconds, count], i) => [seconds, count - before.requestsWithin[i][1]]);
    const all = counts[counts.length - 1][1];
    if (all === 0) return '–';
    const [seconds] = counts.find(([, count]) => count >= 0.99 * all);
    if (seconds === null) return '> 2.5 s';
    return seconds < 1e-3 ? Math.round(seconds * 1e6) + ' µs' : seconds < 1 ? seconds * 1e3 + ' ms' : seconds + ' s';
  }

  /* Tiles. */
  function tiles() {
    const {server, fresh, duplicates} = now;
    const seconds = before ? (now.millis - before.millis) / 1000 : 0;
    const requests = seconds > 0 ? count(Math.max(0, Math.round((server.requests_total - before.server.requests_total) / seconds))) : '…';
    const saved = server.last_save_timestamp_seconds !== undefined;
    const failed = before ? now.errors - before.errors : 0;
    const list = [
      ['Requests per second', requests, count(server.requests_total) + ' in all'],
      ['New per second', count(fresh), ''],
      ['Duplicates per second', count(duplicates), fresh + duplicates > 0 ? share(duplicates / (fresh + duplicates)) + ' of items' : ''],
      ['99 % of requests within', latency(), 'in the last second'],
      ['Errors', count(now.errors), failed > 0 ? count(failed) + ' in the last second' : 'none in the last second'],
      ['Filters’ memory', bytes(server.memory_bytes), 'of ' + bytes(server.max_memory_bytes)],
      ['Process memory', server.process_resident_memory_bytes === undefined ? '–' : bytes(server.process_resident_memory_bytes), 'resident'],
      ['Clients', count(server.clients), ''],
      ['Last save', saved ? ago(server.last_save_timestamp_seconds * 1e3) : 'none',
        saved ? 'took ' + Math.round(server.last_save_duration_seconds * 1e3) + ' ms' : 'nothing is kept on disk'],
      ['Journal', saved ? bytes(server.journal_bytes) : 'none', saved ? 'since the last save' : ''],
    ];
    $('tiles').replaceChildren(...list.map(([name, big, more]) => {
      const tile = element('div');
      tile.append(element('dt', name), element('dd', big, {class: 'big'}), element('dd', more, {class: 'more'}));
      return tile;
    }));
  }

  /* The table. Rows are kept, so that a click or a selection in progress is not lost. */
  const rows = new Map();
  const CELLS = 10;
  const FIRST_WIDE = 4; // the cells from here on are not shown on a phone
  function row(name) {
    const made = element('tr');
    const head = element('th', undefined, {scope: 'row'});
    const button = element('button', name, {type: 'button', title: name});
    head.append(button);
    made.append(head);
    for (let i = 0; i < CELLS; i++) made.append(element('td', undefined, i < FIRST_WIDE ? {} : {class: 'wide-only'}));
    made.addEventListener('click', () => choose(name));
    return made;
  }
  function table() {
    const body = $('filters').tBodies[0];
    const seen = new Set();
    now.filters.forEach((filter, place) => {
      seen.add(filter.name);
      if (!rows.has(filter.name)) rows.set(filter.name, row(filter.name));
      const line = rows.get(filter.name);
      line.setAttribute('aria-selected', filter.name === chosen);
      const measures = filter.measures;
      const cells = [...line.querySelectorAll('td')];
      const texts = [
        null, filter.fullIn === undefined ? 'never' : filter.fullIn === 0 ? 'full' : span(filter.fullIn), count(filter.fresh),
        count(filter.evictedEarly), count(filter.duplicates), count(measures.records), bytes(measures.memoryBytes),
        filter.window === '' ? '–' : share(measures.windowCoverage), share(measures.estimatedFpr), share(measures.estimatedFnr),
      ];
      if (filter.fits === 0) texts[1] = '–';
      texts.forEach((text, i) => { if (text !== null && cells[i].textContent !== text) cells[i].textContent = text; });
      const bar = element('span', undefined, {class: 'load'});
      const part = element('i');
      part.style.width = Math.min(100, (filter.fits > 0 ? filter.held / filter.fits : measures.load) * 100) + '%';
      bar.append(part);
      cells[0].replaceChildren(bar, filter.fits > 0 ? `${short(filter.held)} of ${short(filter.fits)}` : share(measures.load));
      line.className = filter.severity.toLowerCase();
      line.title = filter.advice;
      cells[3].classList.toggle('alarm', filter.alarms.includes('FORGETTING'));
      cells[8].classList.toggle('alarm', filter.alarms.includes('FALSE_POSITIVES'));
      if (body.children[place] !== line) body.insertBefore(line, body.children[place] ?? null);
    });
    for (const [name, line] of rows) {
      if (!seen.has(name)) { line.remove(); rows.delete(name); }
    }
    $('nothing').hidden = now.filters.length > 0;
    $('filters').closest('.scroller').hidden = now.filters.length === 0;
    $('filters-hint').textContent = now.server.filters > now.filters.length
      ? `The ${now.filters.length} most urgent filters, of ${count(now.server.filters)}. Click one to see its traffic above and its numbers below.`
      : 'Click a filter to see its traffic above and its numbers below.';
    $('filters-hint').hidden = now.filters.length === 0;
  }

  /* All numbers of one filter. */
  function interval(measures, name) {
    return measures[name] === undefined || measures[name] === null ? 'not measured'
      : `${share(measures[name])} (${share(measures[name + 'Low'])} to ${share(measures[name + 'High'])})`;
  }
  function detail() {
    const filter = now.filters.find(one => one.name === chosen);
    $('detail').hidden = !filter;
    if (!filter) return;
    const measures = filter.measures;
    const list = [
      ...(filter.advice === '' ? [] : [['What to do', filter.advice]]),
      ['Made as', filter.about],
      ['Window', filter.window === '' ? 'none: keys stay until room is needed' : filter.window],
      ['Items so far', `${whole.format(measures.records)}, of which ${whole.format(measures.admitted)} new`],
      ['Keys held, estimated', whole.format(measures.estimatedCardinality)],
      ['Evicted early', filter.evictedEarly === 0 ? 'none'
        : `${whole.format(filter.evictedEarly)}: there is not enough memory for all keys`],
      ['Duplicates passed, estimated', interval(measures, 'estimatedFnr')],
      ['New lost, estimated', `${share(measures.estimatedFpr)}, ${share(measures.maxFpr)} at most`],
      ['New lost, measured', interval(measures, 'auditedFpr')],
      ['Duplicates passed, measured', interval(measures, 'auditedFnr')],
      ['Reserved at present', whole.format(measures.inFlight)],
    ];
    const terms = element('dl');
    list.forEach(([name, text]) => {
      const pair = element('div');
      pair.append(element('dt', name), element('dd', text));
      terms.append(pair);
    });
    $('detail').replaceChildren(element('h3', filter.name), terms);
  }

  /* The chart. */
  const chart = echarts.init($('traffic'));
  function draw() {
    const data = key => {
      const values = past[key].slice(-shown);
      return values.map((value, i) => [now.millis - (values.length - 1 - i) * 1000, value]);
    };
    const series = (name, key, colour) => ({
      name, type: 'line', stack: 'items', symbol: 'none', data: data(key), sampling: 'lttb',
      lineStyle: {width: 1.5, color: style(colour)}, itemStyle: {color: style(colour)},
      areaStyle: {color: style(colour), opacity: 0.25},
    });
    chart.setOption({
      animation: false,
      grid: {left: 8, right: 16, top: 34, bottom: 4, containLabel: true},
      legend: {top: 0, left: 0, icon: 'roundRect', textStyle: {color: style('--soft')}},
      tooltip: {
        trigger: 'axis', backgroundColor: style('--card'), borderColor: style('--rule'), textStyle: {color: style('--ink')},
        valueFormatter: value => count(value),
      },
      xAxis: {
        type: 'time', min: now.millis - (shown - 1) * 1000, max: now.millis,
        axisLabel: {color: style('--faint'), hideOverlap: true}, axisLine: {lineStyle: {color: style('--rule')}}, splitLine: {show: false},
      },
      yAxis: {
        type: 'value', minInterval: 1, min: 0,
        axisLabel: {color: style('--faint'), formatter: value => value >= 1e6 ? value / 1e6 + 'M' : value >= 1e3 ? value / 1e3 + 'k' : value},
        splitLine: {lineStyle: {color: style('--grid')}},
      },
      series: [series('new', 'fresh', '--new'), series('duplicates', 'duplicates', '--again')],
    });
  }
  new ResizeObserver(() => chart.resize()).observe($('traffic'));

  let asking = 0;
  async function choose(name) {
    chosen = name === chosen ? null : name;
    const asked = ++asking;
    $('chosen').textContent = chosen ?? 'all filters';
    $('all').hidden = chosen === null;
    try {
      const reply = await fetch('/history' + (chosen === null ? '' : '?filter=' + encodeURIComponent(chosen)));
      const history = await reply.json();
      if (asked !== asking) return; // another was chosen meanwhile
      past.fresh = history.fresh;
      past.duplicates = history.duplicates;
    } catch {
      past.fresh = [];
      past.duplicates = [];
    }
    show();
  }
  function append() {
    const picked = chosen === null ? now : now.filters.find(filter => filter.name === chosen);
    for (const key of ['fresh', 'duplicates']) {
      past[key].push(picked?.[key] ?? 0);
      if (past[key].length > HISTORY) past[key].shift();
    }
  }

  /* Trying a key. */
  function names() {
    const select = $('try').elements.filter;
    const wanted = now.filters.map(filter => filter.name);
    if (wanted.join('\n') === [...select.options].map(option => option.value).join('\n')) return;
    const value = select.value;
    select.replaceChildren(...wanted.map(name => element('option', name, {value: name})));
    if (wanted.includes(value)) select.value = value;
  }
  $('try').addEventListener('submit', async event => {
    event.preventDefault();
    const form = event.target.elements;
    const query = new URLSearchParams({filter: form.filter.value, item: form.key.value});
    try {
      const reply = await fetch('/try?' + query);
      const said = await reply.json();
      $('answer').textContent = said.trouble ?? (said.seen
        ? `“${form.key.value}” was seen before, or is mistaken for another (${share(said.estimatedFpr)} of new items are).`
        : `“${form.key.value}” was not seen, or was evicted or has expired.`);
    } catch {
      $('answer').textContent = 'The server did not answer.';
    }
  });

  function slow() {
    const body = $('slow').tBodies[0];
    const list = now.slow.slice().sort((a, b) => b.micros - a.micros).slice(0, 10);
    body.replaceChildren(...(list.length === 0 ? [none()] : list.map(one => {
      const line = element('tr');
      line.append(element('td', one.command), element('td', (one.micros / 1000).toFixed(1) + ' ms'), element('td', ago(one.millis)));
      return line;
    })));
  }
  function none() {
    const line = element('tr');
    line.append(element('td', 'none so far', {colspan: 3}));
    return line;
  }

  function show() {
    if (now === null) return;
    $('verdict').className = 'verdict ' + now.severity.toLowerCase();
    if ($('verdict').textContent !== now.verdict) $('verdict').textContent = now.verdict;
    tiles();
    table();
    detail();
    names();
    slow();
    draw();
  }

  /* The link. */
  function link(state, text) {
    $('link').className = 'link ' + state;
    if ($('link').textContent !== text) $('link').textContent = text;
  }
  const events = new EventSource('/events');
  events.onmessage = event => {
    before = now;
    now = JSON.parse(event.data);
    lastHeard = Date.now();
    link('live', 'live');
    if (chosen !== null && !now.filters.some(filter => filter.name === chosen)) choose(chosen); // it is gone
    append();
    if (!document.hidden) show();
  };
  setInterval(() => {
    if (Date.now() - lastHeard > PATIENCE && lastHeard > 0) link('lost', 'the server does not answer; trying again');
  }, 1000);
  document.addEventListener('visibilitychange', () => { if (!document.hidden) show(); });
  $('all').addEventListener('click', () => choose(chosen));
  $('spans').addEventListener('click', event => {
    if (!event.target.dataset.seconds) return;
    shown = Number(event.target.dataset.seconds);
    [...$('spans').children].forEach(button => button.setAttribute('aria-pressed', button === event.target));
    show();
  });

  const toggle = document.querySelector('.theme');
  function label() {
    toggle.textContent = Theme.current() === 'dark' ? 'Light' : 'Dark';
  }
  toggle.addEventListener('click', Theme.toggle);
  Theme.onChange(() => { label(); show(); });
  label();
  fetch('/history').then(reply => reply.json()).then(history => {
    past.fresh = history.fresh;
    past.duplicates = history.duplicates;
    show();
  }).catch(() => {}); // the events continue from here
})();
