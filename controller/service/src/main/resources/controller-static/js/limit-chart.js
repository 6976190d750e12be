// SPDX-License-Identifier: Apache-2.0
// How much breaks at which load: after a run the requests beyond the limit as they were counted and fitted, before that the part
// of the windows of each step that broke the SLA.
import {broke} from './capacity-scale.js';
import {duration, number, percent, rate} from './format.js';
import {axes, colours, ribbon} from './runchart.js';

/** The scale ends at so many times what is allowed: all beyond it is broken. */
const MAX_EXCEEDANCE = 10;

const counted = group => group.exceeding / group.requests;

/** What the chart shows, as a sentence below it. */
export function limitWords(curve, steps) {
  if (!curve) return steps.length ? 'Each point is a step: which load arrived, and which part of its windows broke the SLA.' : 'No step has ended yet.';
  const beyond = curve.latencyLimitSeconds === undefined ? 'that broke ' + curve.rule : 'that took longer than ' + duration(curve.latencyLimitSeconds);
  return `Each point is the part of the requests ${beyond} at one load or some neighbouring ones; diamonds are more than the ${percent(curve.allowedRatio)} that the rule allows. `
    + (curve.fit.length ? `The curve was fitted for a load that lasts, with its 95 % interval; the short steps of a search show ${percent(curve.shownPart)} of it. Where it reaches the limit is the capacity.`
      : `No curve was fitted: ${curve.unfitted}.`);
}

/** Whether there is a curve: a rule that allows a part of the requests, and loads that were counted. */
export const counts = curve => Boolean(curve && curve.loads.length && curve.allowedRatio > 0);

/** The option of the chart. */
export function limitOption({curve, steps, found}) {
  const tone = colours();
  const shown = counts(curve);
  const dots = shown ? curve.loads.map(group => ({load: group.requestsPerSecond, part: counted(group), broken: counted(group) > curve.allowedRatio,
    words: group.exceeding + ' of ' + number(group.requests) + ' requests, ' + (group.censored ? 'at least ' : '') + percent(counted(group))}))
    : steps.map(step => ({load: step.requestsPerSecond, part: step.windows ? step.breached / step.windows : 0, broken: broke(step), words: step.breached + ' of ' + step.windows + ' windows'}));
  const fit = shown ? curve.fit : [];
  const highest = Math.max(...dots.map(dot => dot.part), ...fit.map(point => point.ratio), 0);
  const top = shown ? Math.min(MAX_EXCEEDANCE * curve.allowedRatio, Math.max(1.5 * curve.allowedRatio, highest)) : 1;
  const within = value => Math.min(top, value);
  const lines = [
    ...(shown ? [{yAxis: curve.allowedRatio, name: 'allowed ' + percent(curve.allowedRatio), lineStyle: {color: tone.bad, width: 2, type: 'solid'}}] : []),
    ...(found && found.high ? [{xAxis: found.capacity, name: (found.estimated ? 'estimate ' : 'capacity ') + rate(found.capacity), lineStyle: {color: tone.good, width: 2, type: 'solid'}}] : []),
  ];
  const area = found && found.high && found.high > found.low ? [[{xAxis: found.low, itemStyle: {color: tone.good, opacity: 0.12}}, {xAxis: found.high}]] : [];
  return {
    ...axes(tone, shown ? 'of the requests' : 'of the windows', percent, top),
    series: [
      ...(fit.length ? [ribbon([fit.map(point => [point.requestsPerSecond, within(point.low), within(point.high)])], tone.measured),
        {type: 'line', name: 'fitted', data: fit.filter(point => point.ratio <= top).map(point => [point.requestsPerSecond, point.ratio]), showSymbol: false, silent: true, animation: false, lineStyle: {color: tone.measured, width: 2}}] : []),
      {
        type: 'scatter', name: 'counted', symbolSize: 8, animation: false,
        data: dots.map(dot => ({value: [dot.load, within(dot.part)], name: dot.words, symbol: dot.broken ? 'diamond' : 'circle', itemStyle: {color: dot.broken ? tone.bad : tone.measured}})),
        markLine: {silent: true, symbol: 'none', animation: false, label: {formatter: line => line.name, color: tone.ink, position: 'insideStartTop'}, data: lines},
        markArea: {silent: true, animation: false, data: area},
      },
    ],
    tooltip: {renderMode: 'richText', confine: true, backgroundColor: tone.raised, borderColor: tone.faint, textStyle: {color: tone.ink}, formatter: dot => rate(dot.value[0]) + '\n' + dot.name},
  };
}
