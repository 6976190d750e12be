// SPDX-License-Identifier: Apache-2.0
// The charts of a run: all panels over one time axis, and latency against load.
/* global echarts */
import {bytes, duration, number, percent, rate, utc, withUnit} from './format.js';

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const colours = () => ({
  ink: css('--ink'), faint: css('--faint'), line: css('--line'), raised: css('--raised'), asked: css('--asked'),
  measured: css('--measured'), good: css('--good'), warn: css('--warn'), bad: css('--bad'),
});

/** Panels of what is measured beside requests, and the collector's sources that measure it. */
const GAUGES = [
  {title: 'CPU, memory, pools', format: percent, sources: 'host, scrape or otlp',
    names: ['cpu', 'cpu.quota', 'cpu.throttled', 'cpu.steal', 'memory', 'memory.stalled', 'pool.busy', 'net.link', 'disk.busy']},
  {title: 'GC and pauses', format: duration, sources: 'jvm, scrape or otlp', names: ['gc.pause', 'process.pause', 'downstream.latency']},
  {title: 'Sockets and threads', format: number, sources: 'sockets or jvm',
    names: ['sockets.connections', 'sockets.accept.queue', 'pool.waiting', 'threads.blocked', 'overdue']},
  {title: 'Queues and network', format: bytes, sources: 'sockets or host',
    names: ['sockets.send.queue', 'sockets.receive.queue', 'client.receive.queue', 'net.tx', 'net.rx']},
];

const LISTED = new Set(GAUGES.flatMap(panel => panel.names));

const DASHES = ['solid', 'dashed', 'dotted', [8, 3, 2, 3], [2, 4]];

const of = name => row => row.values[name];

/** A number of any size in the width of an axis. */
const brief = value => Math.abs(value) >= 1e5 ? value.toLocaleString(undefined, {notation: 'compact', maximumSignificantDigits: 3}) : number(value);

/** Time since the start as 12:30 or 1:02:30. */
export function sinceStart(milliseconds) {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes, rest] = [Math.floor(Math.abs(seconds) / 3600), Math.floor(Math.abs(seconds) / 60) % 60, Math.abs(seconds) % 60];
  const two = value => String(value).padStart(2, '0');
  return (seconds < 0 ? '-' : '') + (hours ? hours + ':' + two(minutes) : minutes) + ':' + two(rest);
}

/** Names of the gauges that some row has. */
function measuredIn(rows) {
  const measured = new Set();
  rows.forEach(row => row.gap || Object.keys(row.gauges).forEach(name => measured.add(name)));
  return measured;
}

function gaugePanel(title, names, format, tone, formatOf = () => format) {
  const lines = names.slice(0, 5).map((name, index) => ({
    name, value: row => row.gauges[name], colour: [tone.measured, tone.warn, tone.good, tone.asked, tone.bad][index], dash: DASHES[index], format: formatOf(name),
  }));
  return {title, lines, format};
}

/** Which panels are not drawn for want of measurements, and what to do about it. */
function lacking(measured) {
  const empty = GAUGES.filter(panel => !panel.names.some(name => measured.has(name)));
  return empty.length ? 'Not measured: ' + empty.map(panel => panel.title + ' (by source ' + panel.sources + ')').join('; ')
    + '. To see it, switch such a source on in a collector that knows the instance: redliner.collector.<source>.enabled.' : '';
}

/** What the latency rule measured, where that is not the p99. */
function differs(row) {
  const {latencyRuleSeconds, latencyP99Seconds} = row.values;
  return (latencyRuleSeconds ?? null) !== null && (latencyP99Seconds ?? null) !== null && Math.abs(latencyRuleSeconds - latencyP99Seconds) > 1e-9;
}

/** What is drawn, from the top. */
function panels(measured, units, tone, condensed, ruled) {
  const spread = condensed ? [
    {name: 'largest', value: of('requestsPerSecondMax'), colour: tone.measured, dash: 'dotted', format: rate, thin: true},
    {name: 'smallest', value: of('requestsPerSecondMin'), colour: tone.measured, dash: 'dotted', format: rate, thin: true},
  ] : [];
  return [
    {title: 'Share', format: percent, lines: [
      {name: 'asked', value: of('shareAsked'), colour: tone.asked, dash: 'dashed', step: 'end', format: percent},
      {name: 'measured', value: of('shareMeasured'), colour: tone.measured, format: percent, compared: true},
    ]},
    {title: 'Requests/s', format: number, lines: [
      {name: 'under test', value: of('requestsPerSecond'), colour: tone.measured, format: rate, compared: true}, ...spread,
      {name: 'peers together', value: of('peersRequestsPerSecond'), colour: tone.asked, dash: 'dashed', format: rate},
    ]},
    {title: 'Latency', format: duration, lines: [
      {name: 'p99', value: of('latencyP99Seconds'), colour: tone.measured, format: duration, compared: true},
      {name: 'p50', value: of('latencyP50Seconds'), colour: tone.good, dash: 'dotted', format: duration},
      {name: 'peers p99', value: of('peersLatencyP99Seconds'), colour: tone.asked, dash: 'dashed', format: duration},
      ...(ruled ? [{name: 'in the rule', value: of('latencyRuleSeconds'), colour: tone.bad, dash: 'dotted', format: duration}] : []),
      {name: 'limit of the rule', value: of('latencyThresholdSeconds'), colour: tone.bad, format: duration},
    ]},
    {title: 'Errors', format: percent, lines: [
      {name: 'under test', value: of('errorRatio'), colour: tone.bad, format: percent, compared: true},
      {name: 'peers', value: of('peersErrorRatio'), colour: tone.asked, dash: 'dashed', format: percent},
    ]},
    {title: 'In flight', format: number, lines: [{name: 'in flight', value: of('inFlight'), colour: tone.measured, format: number}]},
    {title: 'Estimate', format: number, lines: [
      {name: 'capacity', value: of('estimateCapacity'), colour: tone.measured, format: rate, compared: true},
      {name: 'low', value: of('estimateLow'), colour: tone.good, dash: 'dashed', format: rate, band: 'low'},
      {name: 'high', value: of('estimateHigh'), colour: tone.warn, dash: 'dashed', format: rate},
    ], band: [of('estimateLow'), of('estimateHigh')]},
    ...GAUGES.map(panel => gaugePanel(panel.title, panel.names.filter(name => measured.has(name)), panel.format, tone)),
    gaugePanel("The service's own", [...measured].filter(name => !LISTED.has(name)).sort(), brief, tone, name => value => withUnit(value, units.get(name))),
  ].filter(panel => panel.lines.length);
}

const HEIGHT = 104;

const GAP = 42;

const TOP = 74;

/** How tall the chart has to be. */
export const heightOf = count => TOP + count * (HEIGHT + GAP) + 56;

function points(rows, begin, value) {
  return rows.map(row => row.gap ? [null, null] : [(row.start + row.end) / 2 - begin, value(row) ?? null]);
}

function verdictStrip(rows, begin, tone) {
  const colour = {HOLDS: tone.good, BREACHED: tone.bad, INCONCLUSIVE: tone.warn};
  const height = {HOLDS: 0.35, BREACHED: 1, INCONCLUSIVE: 0.65};
  return rows.filter(row => !row.gap).map(row => ({
    value: [row.start - begin, row.end - begin, height[row.judgement]], itemStyle: {color: colour[row.judgement]}, name: row.judgement,
  }));
}

function stepLines(rows, begin, tone, named) {
  const marks = [];
  let before = null;
  for (const row of rows) {
    if (row.gap || row.step === before || !row.step) continue;
    before = row.step;
    marks.push({xAxis: row.start - begin, name: String(row.step)});
  }
  const every = Math.max(1, Math.ceil(marks.length / 24));
  return {
    silent: true, symbol: 'none', animation: false, lineStyle: {color: tone.line, type: 'solid'},
    label: {show: named, formatter: mark => mark.name, color: tone.faint, fontSize: 10, position: 'insideEndTop', rotate: 0, distance: [2, -12]},
    data: marks.filter((mark, index) => index % every === 0),
  };
}

function tooltip(rows, begin, shown, tone) {
  const drawn = rows.filter(row => !row.gap);
  return {
    trigger: 'axis', renderMode: 'richText', confine: true, transitionDuration: 0, backgroundColor: tone.raised, borderColor: tone.faint,
    textStyle: {color: tone.ink, fontSize: 12}, axisPointer: {type: 'line', lineStyle: {color: tone.ink}},
    formatter(parameters) {
      const at = (Array.isArray(parameters) ? parameters[0] : parameters).axisValue + begin;
      const row = drawn.find(one => at >= one.start && at < one.end)
        || drawn.reduce((best, one) => Math.abs(one.start - at) < Math.abs(best.start - at) ? one : best, drawn[0]);
      if (!row) return '';
      const words = [sinceStart(row.start - begin) + ' · ' + new Date(row.start).toLocaleTimeString() + ' · ' + utc(row.start),
        row.phase + ' · ' + {HOLDS: 'SLA holds', BREACHED: 'SLA broken', INCONCLUSIVE: 'nothing reliable'}[row.judgement] + ' · step ' + row.step
          + (row.count > 1 ? ' · ' + row.count + ' windows' : '')];
      for (const panel of shown) {
        const values = panel.lines.filter(line => !line.thin && (line.value(row) ?? null) !== null)
          .map(line => line.name + ' ' + line.format(line.value(row)));
        if (values.length) words.push(panel.title + ': ' + values.join(', '));
      }
      return words.join('\n');
    },
  };
}

function strip(parameters, api) {
  const from = api.coord([api.value(0), 0]);
  const to = api.coord([api.value(1), api.value(2)]);
  return {type: 'rect', shape: {x: from[0], y: to[1], width: Math.max(1, to[0] - from[0]), height: from[1] - to[1]}, style: {fill: api.visual('color')}};
}

/** Where the axis of a ratio ends: never above 100 %, and where there is nothing at 1 %. */
const ratioEnd = seen => seen.max > 0.5 ? Math.max(1, seen.max) : seen.max > 0 ? null : 0.01;

/** The option of the chart over time; other is another run on the same axis, by time since its start. */
export function timeOption({rows, begin, end, units, condensed, zoom, other}) {
  const tone = colours();
  const measured = measuredIn(rows);
  // A limit is drawn beside what it limits: of a rule that is not about the p99, that is another line.
  const shown = panels(measured, units, tone, condensed, rows.some(row => !row.gap && differs(row)));
  const narrow = window.innerWidth < 640;
  const left = narrow ? 48 : 64;
  const right = narrow ? 8 : 24;
  const grids = [{left, right, top: 26, height: 20}];
  const xAxes = [{gridIndex: 0, type: 'value', min: 0, max: 'dataMax', show: false}];
  const yAxes = [{gridIndex: 0, type: 'value', min: 0, max: 1, show: false}];
  const titles = [{text: 'Verdicts: tall is broken, middle unknown, low holds. Below: numbers are steps', left, top: 2, textStyle: {fontSize: 12, fontWeight: 'normal', color: tone.faint}}];
  const series = [{type: 'custom', name: 'verdicts', xAxisIndex: 0, yAxisIndex: 0, renderItem: strip, encode: {x: [0, 1], y: 2}, data: verdictStrip(rows, begin, tone), silent: true, clip: true, animation: false}];
  const longest = Math.max(end - begin, other ? other.end - other.begin : 0);
  shown.forEach((panel, index) => {
    const grid = index + 1;
    const top = TOP + index * (HEIGHT + GAP);
    const last = index === shown.length - 1;
    grids.push({left, right, top, height: HEIGHT});
    xAxes.push({
      gridIndex: grid, type: 'value', min: 0, max: longest, axisLabel: {show: last, formatter: value => sinceStart(value), color: tone.faint, hideOverlap: true},
      axisLine: {lineStyle: {color: tone.faint}}, axisTick: {show: false}, splitLine: {show: false},
      axisPointer: {show: true, label: {show: last, formatter: pointed => sinceStart(pointed.value), backgroundColor: tone.ink, color: tone.raised}},
    });
    yAxes.push({
      gridIndex: grid, type: 'value', min: 0, scale: false, ...(panel.format === percent ? {max: ratioEnd, splitNumber: 2} : {splitNumber: 3}), axisLabel: {color: tone.faint, fontSize: 11, formatter: value => panel.format(value)},
      splitLine: {lineStyle: {color: tone.line}}, axisPointer: {show: false},
    });
    titles.push({
      text: '{b|' + panel.title + '}  ' + panel.lines.map((line, number) => '{l' + number + '|' + mark(line) + ' ' + line.name + '}').join('  '),
      left, right, top: top - 24, textStyle: {
        fontSize: 12, fontWeight: 'normal', color: tone.faint, width: Math.max(200, window.innerWidth - left - right - 60), overflow: 'truncate',
        rich: {b: {fontWeight: 'bold', color: tone.ink, fontSize: 12}, ...Object.fromEntries(panel.lines.map((line, number) => ['l' + number, {color: line.colour, fontSize: 12}]))},
      },
    });
    if (panel.band) series.push(...band(panel.band, rows, begin, grid, tone));
    panel.lines.forEach((line, number) => {
      series.push({
        type: 'line', name: panel.title + ' ' + line.name, xAxisIndex: grid, yAxisIndex: grid, showSymbol: rows.length < 3, symbolSize: 4, step: line.step || false,
        data: points(rows, begin, line.value), connectNulls: false, animation: false, silent: true,
        lineStyle: {color: line.colour, width: line.thin ? 0.8 : 1.6, type: line.dash || 'solid'}, itemStyle: {color: line.colour},
        markLine: number === 0 ? stepLines(rows, begin, tone, grid === 1) : undefined,
      });
      if (other && line.compared) {
        series.push({
          type: 'line', name: panel.title + ' ' + line.name + ' of the other run', xAxisIndex: grid, yAxisIndex: grid, showSymbol: false, silent: true, animation: false,
          data: points(other.rows, other.begin, line.value), connectNulls: false, lineStyle: {color: tone.warn, width: 1.6, type: [6, 3]}, itemStyle: {color: tone.warn},
        });
      }
    });
  });
  xAxes[0].max = longest;
  return {
    animation: false, backgroundColor: 'transparent', title: titles, grid: grids, xAxis: xAxes, yAxis: yAxes, series,
    axisPointer: {link: [{xAxisIndex: 'all'}]}, tooltip: tooltip(rows, begin, shown, tone),
    dataZoom: [
      {type: 'slider', xAxisIndex: xAxes.map((axis, index) => index), bottom: 6, height: 26, left, right, filterMode: 'none', ...zoom, labelFormatter: value => sinceStart(value), textStyle: {color: tone.faint}, borderColor: tone.faint, showDataShadow: false, throttle: 50},
      {type: 'inside', xAxisIndex: xAxes.map((axis, index) => index), filterMode: 'none', ...zoom, zoomOnMouseWheel: 'ctrl', moveOnMouseMove: !narrow, throttle: 50},
    ],
    panelCount: shown.length, lacking: lacking(measured),
  };
}

function mark(line) {
  return line.dash === 'dotted' ? '┈' : line.dash ? '╌' : '━';
}

/**
 * An area between two lines over loads or times.
 *
 * @param parts each a list of [x, low, high], drawn for itself
 */
export function ribbon(parts, colour, axis = 0) {
  return {
    type: 'custom', xAxisIndex: axis, yAxisIndex: axis, silent: true, animation: false, clip: true, z: 1,
    data: parts.map(part => [part[0][0], part[0][1]]), encode: {x: 0, y: 1},
    renderItem(parameters, api) {
      const part = parts[parameters.dataIndex];
      const points = [...part.map(([x, , high]) => api.coord([x, high])), ...part.map(([x, low]) => api.coord([x, low])).reverse()];
      return {type: 'polygon', shape: {points}, style: {fill: colour, opacity: 0.18}};
    },
  };
}

/** What is between the ends of the interval, wherever both are known. */
function band([low, high], rows, begin, grid, tone) {
  const parts = [];
  let part = null;
  for (const row of rows) {
    if (row.gap || (low(row) ?? null) === null || (high(row) ?? null) === null) part = null;
    else {
      if (!part) parts.push(part = []);
      part.push([(row.start + row.end) / 2 - begin, low(row), high(row)]);
    }
  }
  return parts.length ? [ribbon(parts, tone.measured, grid)] : [];
}

/** What charts over the load share. */
export function axes(tone, name, format, top) {
  const axis = {axisLabel: {color: tone.faint}, nameTextStyle: {color: tone.faint}, splitLine: {lineStyle: {color: tone.line}}, min: 0};
  return {
    animation: false, backgroundColor: 'transparent', grid: {left: 64, right: 24, top: 34, bottom: 48},
    xAxis: {...axis, type: 'value', name: 'requests/s at the instance', nameLocation: 'middle', nameGap: 28},
    yAxis: {...axis, type: 'value', name, max: top, axisLabel: {color: tone.faint, formatter: format}},
  };
}

/** Latency against load: a point per row, its trend, the SLA, and the capacity where the knee is. */
export function curveOption({rows, found, other}) {
  const tone = colours();
  const limited = rows.some(row => !row.gap && differs(row));
  const latency = row => limited ? row.values.latencyRuleSeconds : row.values.latencyP99Seconds;
  const dots = rows.filter(row => !row.gap && (latency(row) ?? null) !== null)
    .map(row => ({value: [row.values.requestsPerSecondAtP99, latency(row)], itemStyle: {color: row.judgement === 'BREACHED' ? tone.bad : tone.measured}, symbol: row.judgement === 'BREACHED' ? 'diamond' : 'circle'}));
  const threshold = rows.map(row => row.gap ? null : row.values.latencyThresholdSeconds).filter(value => (value ?? null) !== null).at(-1);
  const lines = [];
  if (threshold !== undefined) lines.push({yAxis: threshold, name: 'SLA ' + duration(threshold), lineStyle: {color: tone.bad, width: 2}});
  if (found && found.high) lines.push({xAxis: found.capacity, name: (found.estimated ? 'estimate ' : 'capacity ') + rate(found.capacity), lineStyle: {color: tone.good, width: 2, type: 'solid'}});
  const area = found && found.low && found.high ? [[{xAxis: found.low, itemStyle: {color: tone.good, opacity: 0.15}}, {xAxis: found.high}]] : [];
  const series = [{
    type: 'scatter', name: 'windows', data: dots, symbolSize: 6, animation: false,
    markLine: {silent: true, symbol: 'none', animation: false, label: {formatter: line => line.name, color: tone.ink, position: 'insideStartTop'}, data: lines},
    markArea: {silent: true, animation: false, data: area},
  }, {type: 'line', name: 'median', data: trend(dots.map(dot => dot.value)), showSymbol: false, smooth: true, animation: false, lineStyle: {color: tone.ink, width: 1.5}, silent: true}];
  if (other) {
    series.push({
      type: 'scatter', name: 'the other run', symbol: 'triangle', symbolSize: 6, animation: false, itemStyle: {color: tone.warn},
      data: other.rows.filter(row => !row.gap && (row.values.latencyP99Seconds ?? null) !== null).map(row => [row.values.requestsPerSecondAtP99, row.values.latencyP99Seconds]),
    });
  }
  return {
    ...axes(tone, limited ? 'in the rule' : 'p99', value => duration(value)), series,
    tooltip: {renderMode: 'richText', confine: true, backgroundColor: tone.raised, borderColor: tone.faint, textStyle: {color: tone.ink}, formatter: dot => rate(dot.value[0]) + (limited ? '\nin the rule ' : '\np99 ') + duration(dot.value[1])},
  };
}

/** Medians of the latencies of neighbouring loads. */
function trend(dots) {
  const sorted = [...dots].sort((one, another) => one[0] - another[0]);
  const size = Math.max(5, Math.ceil(sorted.length / 24));
  const medians = [];
  for (let from = 0; from + size <= sorted.length; from += size) {
    const part = sorted.slice(from, from + size);
    const latencies = part.map(dot => dot[1]).sort((one, another) => one - another);
    medians.push([part.reduce((sum, dot) => sum + dot[0], 0) / size, latencies[Math.floor(size / 2)]]);
  }
  return medians;
}

/** A chart that fits its element, which may be resized. */
export function chartIn(element) {
  const chart = echarts.init(element, null, {renderer: 'canvas'});
  new ResizeObserver(() => chart.resize()).observe(element);
  return chart;
}
