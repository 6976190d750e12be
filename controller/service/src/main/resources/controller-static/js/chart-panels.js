// SPDX-License-Identifier: Apache-2.0
// What the small charts of a run show: their lines, their units and where their axes end. Solid is the instance under test, dashed
// are its peers, dotted is what is asked for, allowed or supposed.
import {bytes, duration, number, percent, rate, withUnit} from './format.js';

/** Gauges in the order in which they are shown, the machine's CPU first, and the collector's sources that measure them. */
const GAUGES = [
  {title: 'CPU', sources: 'host, scrape or otlp', names: ['cpu.machine', 'cpu', 'cpu.quota', 'cpu.throttled', 'cpu.steal', 'cpu.thread', 'cpu.others', 'cpu.stalled']},
  {title: 'Memory', sources: 'host, scrape or otlp', names: ['memory', 'memory.machine', 'memory.stalled', 'heap.after.gc', 'allocation.rate']},
  {title: 'Pools, disk, link', sources: 'host, scrape or otlp', names: ['pool.busy', 'disk.busy', 'net.link', 'io.stalled', 'gc.time']},
  {title: 'Pauses, downstream', sources: 'jvm, scrape or otlp', names: ['gc.pause', 'process.pause', 'downstream.latency', 'gc.pause.cpu', 'gc.pause.os-caused']},
  {title: 'Sockets, threads', sources: 'sockets or jvm',
    names: ['sockets.connections', 'sockets.accept.queue', 'pool.waiting', 'threads.blocked', 'overdue', 'disk.queue', 'load', 'context.switches', 'gc.rate', 'sockets.retransmitting']},
  {title: 'Network', sources: 'sockets or host', names: ['net.tx', 'net.rx', 'net.speed', 'sockets.send.queue', 'sockets.receive.queue', 'client.receive.queue']},
];

const PLACES = new Map(GAUGES.flatMap((group, at) => group.names.map((name, index) => [name, at * 100 + index])));

/** Units of gauges that arrive without one, or as a count of bytes. */
const UNITS = {
  'cpu.machine': 'ratio', 'cpu.thread': 'ratio', 'cpu.others': 'ratio', 'cpu.stalled': 'ratio', 'memory.machine': 'ratio', 'io.stalled': 'ratio',
  'context.switches': 'per second', 'gc.rate': 'per second', 'disk.queue': 'requests', load: 'tasks', overdue: 'requests', 'net.speed': 'bytes/s',
  'sockets.connections': 'connections', 'sockets.accept.queue': 'connections', 'sockets.retransmitting': 'connections', 'pool.waiting': 'tasks', 'threads.blocked': 'threads',
  'heap.after.gc': 'bytes', 'allocation.rate': 'bytes/s', 'gc.pause.os-caused': 'seconds', 'sockets.send.queue': 'bytes', 'sockets.receive.queue': 'bytes', 'client.receive.queue': 'bytes',
};

/** Lines of one axis differ by no more than this; a smaller gauge would be a line at the bottom. */
const UNLIKE = 20;

const LINES = 5;

const TONES = ['measured', 'warn', 'good', 'bad', 'ink'];

const of = name => row => row.values[name];

/** The name of a gauge without its part in brackets. */
const plain = name => name.split('[', 1)[0];

const place = name => PLACES.get(plain(name)) ?? 10000;

/** Gauges of a window, those first that most likely limit it. */
export const byImportance = gauges => [...gauges].sort((one, other) => place(one.name) - place(other.name));

const unitOf = (name, unit) => UNITS[plain(name)] || unit || '';

/** The value of a gauge with its unit. */
export const gaugeText = ({name, value, unit}) => formats(unitOf(name, unit))[0](value);

/** What shares an axis: counts of all kinds, and otherwise what is of one unit. */
const axisOf = unit => ['ratio', 'seconds', 'bytes', 'bytes/s', 'requests/s'].includes(unit) ? unit : 'count';

/** How values of a unit are written: in a legend, and beside an axis, which has less room. */
function formats(unit) {
  switch (unit) {
    case 'ratio': return [percent, percent];
    case 'seconds': return [duration, duration];
    case 'bytes': return [bytes, bytes];
    case 'bytes/s': return [value => withUnit(value, unit), bytes];
    case 'requests/s': return [rate, brief];
    default: return [value => number(value) + (unit && unit !== 'count' ? ' ' + unit : ''), brief];
  }
}

const PREFIXES = [[1e9, 'G'], [1e6, 'M'], [1e3, 'k']];

/** A number of any size in the width of an axis. */
function brief(value) {
  const [size, prefix] = PREFIXES.find(([from]) => Math.abs(value) >= 10 * from) || [1, ''];
  return number(value / size) + prefix;
}

/** What an axis says of its unit where its numbers do not. */
const unsaid = unit => unit === 'requests/s' ? 'req/s' : unit === 'bytes/s' ? 'per second' : '';

function panel(title, unit, lines, more = {}) {
  const [format, axisFormat] = formats(unit);
  return {title, unit: unsaid(unit), ratio: unit === 'ratio', axisFormat, lines: lines.map(line => ({format, ...line})), ...more};
}

/** What the latency rule measured, where that is not the p99. */
export function differs(row) {
  const {latencyRuleSeconds, latencyP99Seconds} = row.values;
  return (latencyRuleSeconds ?? null) !== null && (latencyP99Seconds ?? null) !== null && Math.abs(latencyRuleSeconds - latencyP99Seconds) > 1e-9;
}

/** The largest value of each gauge that some row has. */
function largest(rows) {
  const found = new Map();
  for (const row of rows) {
    if (!row.gap) for (const [name, value] of Object.entries(row.gauges)) if ((value ?? null) !== null) found.set(name, Math.max(found.get(name) ?? 0, Math.abs(value)));
  }
  return found;
}

/** Panels of one group: one for each axis, and of what is no part of a whole one for each order of size. */
function gaugePanels(title, names, tops, units) {
  const panels = [];
  const unit = name => unitOf(name, units.get(name));
  for (const axis of new Set(names.map(name => axisOf(unit(name))))) {
    const alike = names.filter(name => axisOf(unit(name)) === axis);
    // A part of something never needs another axis than the whole: all of them end at 100 %.
    for (const part of axis === 'ratio' ? [alike] : bySize(alike, tops)) {
      for (let from = 0; from < part.length; from += LINES) {
        const lines = part.slice(from, from + LINES);
        panels.push(panel(lines.length === 1 ? lines[0] : title, axis, lines.map((name, index) => ({
          name: lines.length === 1 ? 'SUT' : name, value: row => row.gauges[name], peers: row => row.peersGauges[name], tone: TONES[index], format: formats(unit(name))[0],
        }))));
      }
    }
  }
  return panels;
}

function bySize(names, tops) {
  const parts = [];
  let size = 0;
  for (const name of [...names].sort((one, other) => tops.get(other) - tops.get(one) || place(one) - place(other))) {
    // What was never anything but 0 is drawn with the smallest.
    if (!parts.length || tops.get(name) > 0 && tops.get(name) < size / UNLIKE) {
      parts.push([]);
      size = tops.get(name);
    }
    parts.at(-1).push(name);
  }
  return parts;
}

/**
 * What is drawn, in order.
 *
 * @param rows of the run
 * @param units of the gauges by their names
 * @param condensed whether a row may be more than a window
 */
export function panelsOf(rows, units, condensed) {
  const tops = largest(rows);
  const names = [...tops.keys()].sort((one, other) => place(one) - place(other) || one.localeCompare(other));
  // A limit is drawn beside what it limits: of a rule that is not about the p99, that is another line.
  const ruled = rows.some(row => !row.gap && differs(row));
  const spread = condensed ? [
    {name: 'largest', value: of('requestsPerSecondMax'), tone: 'measured', kind: 'asked', hidden: true},
    {name: 'smallest', value: of('requestsPerSecondMin'), tone: 'measured', kind: 'asked', hidden: true},
  ] : [];
  const estimated = rows.some(row => !row.gap && (row.values.estimateLow ?? null) !== null);
  return [
    panel('Share', 'ratio', [
      {name: 'measured', value: of('shareMeasured'), tone: 'measured', compared: true}, {name: 'asked for', value: of('shareAsked'), tone: 'ink', kind: 'asked', step: true},
    ]),
    panel('Load', 'requests/s', [
      {name: 'SUT', value: of('requestsPerSecond'), tone: 'measured', compared: true}, ...spread,
      {name: 'peers together', value: of('peersRequestsPerSecond'), tone: 'asked', kind: 'peers'},
    ]),
    panel('Latency', 'seconds', [
      {name: 'p99', value: of('latencyP99Seconds'), tone: 'measured', compared: true}, {name: 'p50', value: of('latencyP50Seconds'), tone: 'good'},
      {name: 'peers p99', value: of('peersLatencyP99Seconds'), tone: 'asked', kind: 'peers'},
      ...(ruled ? [{name: 'in the rule', value: of('latencyRuleSeconds'), tone: 'warn'}] : []),
      {name: 'limit', value: of('latencyThresholdSeconds'), tone: 'bad', kind: 'asked'},
    ]),
    panel('Errors', 'ratio', [
      {name: 'SUT', value: of('errorRatio'), tone: 'bad', compared: true}, {name: 'peers', value: of('peersErrorRatio'), tone: 'asked', kind: 'peers'},
    ]),
    panel('In flight', 'requests', [{name: 'SUT', value: of('inFlight'), tone: 'measured'}]),
    ...(estimated ? [panel('Estimate', 'requests/s', [
      {name: 'capacity', value: of('estimateCapacity'), tone: 'measured', compared: true}, {name: 'low', value: of('estimateLow'), tone: 'good', kind: 'asked'},
      {name: 'high', value: of('estimateHigh'), tone: 'warn', kind: 'asked'},
    ], {band: [of('estimateLow'), of('estimateHigh')]})] : []),
    ...GAUGES.flatMap(group => gaugePanels(group.title, names.filter(name => group.names.includes(plain(name))), tops, units)),
    ...gaugePanels("The service's own", names.filter(name => !PLACES.has(plain(name))), tops, units),
  ];
}

/** Which groups are not drawn for want of measurements, and what to do about it. */
export function lacking(rows) {
  const measured = new Set([...largest(rows).keys()].map(plain));
  const empty = GAUGES.filter(group => !group.names.some(name => measured.has(name)));
  return empty.length ? 'Not measured: ' + empty.map(group => group.title + ' (by source ' + group.sources + ')').join('; ')
    + '. To see it, switch such a source on in a collector that knows the instance: redliner.collector.<source>.enabled.' : '';
}

/** Where the axis of a ratio ends: at 100 % or below it, beyond it only with a value that is, and where there is nothing at 1 %. */
export const ratioEnd = seen => seen.max > 0.5 ? Math.max(1, seen.max) : seen.max > 0 ? null : 0.01;
