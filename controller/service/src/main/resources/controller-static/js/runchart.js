// SPDX-License-Identifier: Apache-2.0
// The charts of a run over the load, and the colours of all its charts.
/* global echarts */
import {differs} from './chart-panels.js';
import {duration, rate} from './format.js';

const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

export const colours = () => ({
  ink: css('--ink'), faint: css('--faint'), line: css('--line'), raised: css('--raised'), asked: css('--asked'),
  measured: css('--measured'), good: css('--good'), warn: css('--warn'), bad: css('--bad'),
});

/** Colours for paper, whatever the screen has. */
export const PAPER = {
  ink: '#1d1f21', faint: '#565c63', line: '#d6d9dc', raised: '#fff', asked: '#6b7785', measured: '#0b63b5', good: '#1b7a3d', warn: '#8a5000', bad: '#b3261e',
};

/**
 * An area between two lines over loads or times.
 *
 * @param parts each a list of [x, low, high], drawn for itself
 */
export function ribbon(parts, colour) {
  // A line there along the upper ends and back along the lower ones: the areas below its two ways cancel out.
  const data = parts.flatMap(part => [...part.map(([x, , high]) => [x, high]), ...part.map(([x, low]) => [x, low]).reverse(), [null, null]]);
  return {
    type: 'line', data, connectNulls: false, silent: true, animation: false, symbol: 'none', z: 1,
    lineStyle: {width: 0}, itemStyle: {color: colour}, areaStyle: {color: colour, opacity: 0.18},
  };
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
