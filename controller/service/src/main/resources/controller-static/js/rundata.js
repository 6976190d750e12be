// SPDX-License-Identifier: Apache-2.0
// A run over time as rows: those of the timeline, condensed by the controller, and behind them the windows of later
// events. A row without values is a gap.
import {known} from './html.js';

/** Gauges without the slow requests of a window, whose names are new in each. */
export const lasting = gauges => gauges.filter(gauge => !gauge.name.startsWith('requests.slowest['));

const ratio = (part, whole) => whole > 0 ? part / whole : null;

/** Rows of a timeline. */
export function rowsOf(timeline) {
  const names = Object.keys(timeline.values);
  return timeline.start.map((start, index) => {
    if (start === null) return {gap: true};
    const values = {};
    for (const name of names) values[name] = timeline.values[name][index];
    return {
      start, end: timeline.end[index], count: timeline.count[index], phase: timeline.phase[index],
      judgement: timeline.judgement[index], step: timeline.step[index], values,
      gauges: Object.fromEntries(timeline.gauges.map(gauge => [gauge.name, gauge.values[index]])),
      peersGauges: Object.fromEntries(timeline.peersGauges.map(gauge => [gauge.name, gauge.values[index]])),
    };
  });
}

/**
 * The rule whose limit is the red line, as the controller's timeline takes it: one that acts before one that only informs,
 * then one about the p99, then the first.
 */
export function latencyRule(rules) {
  const rank = rule => (rule.informational ? 2 : 0) + (rule.expression.includes('latency.p99') ? 0 : 1);
  return rules.filter(rule => !rule.guard && rule.unit === 'seconds').sort((one, other) => rank(one) - rank(other))[0] || {};
}

/** One row of a window of the API. */
export function rowOf(window) {
  const start = new Date(window.startedAt).getTime();
  const rule = latencyRule(window.rules);
  const used = window.rules.filter(one => !one.informational && known(one.utilisation)).map(one => one.utilisation);
  const estimate = window.estimate || {};
  const one = value => known(value) ? value : null;
  const count = judgement => window.judgement === judgement ? 1 : 0;
  return {
    start, end: start + window.lengthSeconds * 1000, count: 1, phase: window.phase, judgement: window.judgement,
    step: window.advice.step, sequence: window.sequence,
    values: {
      shareAsked: window.shareAsked, shareAskedMin: window.shareAsked, shareMeasured: one(window.shareMeasured),
      shareMeasuredMin: one(window.shareMeasured), requestsPerSecond: window.requestsPerSecond,
      requestsPerSecondMax: window.requestsPerSecond, requestsPerSecondMin: window.requestsPerSecond,
      serviceRequestsPerSecond: window.serviceRequestsPerSecond, latencyP50Seconds: one(window.latencyP50Seconds),
      latencyP99Seconds: one(window.latencyP99Seconds), latencyRuleSeconds: one(rule.value),
      latencyThresholdSeconds: one(rule.threshold), completed: window.completed, errors: window.errors,
      errorRatio: ratio(window.errors, window.completed), inFlight: window.inFlight, harmRequests: window.harmRequests,
      utilisation: used.length ? Math.max(...used) : null, breached: count('BREACHED'), inconclusive: count('INCONCLUSIVE'),
      peersRequestsPerSecond: window.peers.requestsPerSecond, peersLatencyP50Seconds: one(window.peers.latencyP50Seconds),
      peersLatencyP99Seconds: one(window.peers.latencyP99Seconds),
      peersErrorRatio: ratio(window.peers.errors, window.peers.completed), estimateCapacity: one(estimate.capacity),
      estimateLow: one(estimate.low), estimateHigh: one(estimate.high),
      requestsPerSecondAtP99: known(window.latencyP99Seconds) ? window.requestsPerSecond : null,
    },
    gauges: Object.fromEntries(lasting(window.gauges).map(gauge => [gauge.name, gauge.value])),
    peersGauges: Object.fromEntries(window.peers.gauges.map(gauge => [gauge.name, gauge.value])),
  };
}

/** The rows of a run: whole, finer where one looks closely, and growing at the end while it is live. */
export class RunRows {

  constructor() {
    this.whole = [];
    this.tail = [];
    this.detail = null;
    this.units = new Map();
    this.newest = 0;
  }

  /** Takes the whole run anew. */
  take(timeline) {
    this.timeline = timeline;
    this.whole = rowsOf(timeline);
    this.tail = this.tail.filter(row => row.sequence > timeline.newestSequence);
    this.newest = Math.max(this.newest, timeline.newestSequence);
    this.unit(timeline);
  }

  unit(timeline) {
    for (const gauge of [...timeline.gauges, ...timeline.peersGauges]) this.units.set(gauge.name, gauge.unit);
  }

  /** Takes a finer look at a part of it. */
  look(timeline, from, to) {
    this.detail = timeline ? {rows: rowsOf(timeline), from, to, pointSeconds: timeline.pointSeconds} : null;
  }

  /** Takes a window of an event; whether it was new. */
  add(window) {
    if (window.sequence <= this.newest) return false;
    this.newest = window.sequence;
    for (const gauge of [...lasting(window.gauges), ...window.peers.gauges]) this.units.set(gauge.name, gauge.unit);
    this.tail.push(rowOf(window));
    return true;
  }

  /** All rows in order, with a gap wherever the run has one. */
  all() {
    const rows = [];
    let last = null;
    const put = row => {
      if (!row.gap && last && !last.gap && row.start - last.end > (last.end - last.start) / last.count / 2 + 50) rows.push({gap: true});
      rows.push(row);
      last = row;
    };
    const detail = this.detail;
    if (detail) {
      // A gap between coarse rows has no place; it shows again by their times.
      const coarse = this.whole.filter(row => !row.gap);
      coarse.filter(row => row.end <= detail.from).forEach(put);
      detail.rows.forEach(put);
      coarse.filter(row => row.start >= detail.to).forEach(put);
      this.tail.filter(row => row.start >= Math.max(detail.to, last && last.end || 0)).forEach(put);
    } else {
      this.whole.forEach(put);
      this.tail.forEach(put);
    }
    return rows;
  }

  /** When the first window began; null without any. */
  begin() {
    if (this.timeline && this.timeline.firstWindowAt) return new Date(this.timeline.firstWindowAt).getTime();
    return this.tail.length ? this.tail[0].start : null;
  }

  /** When the last one ended; null without any. */
  end() {
    const rows = this.tail.length ? this.tail : this.whole;
    return rows.length ? rows.at(-1).end : null;
  }
}
