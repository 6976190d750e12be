// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.plan.Sha256;
import java.util.Base64;

/** The style sheet of the page. */
final class ReportStylesheet {

    static final String TEXT = """
            :root { color-scheme: light dark; --ground: #fbfbfa; --raised: #fff; --ink: #1d1f21; --faint: #5a6067;
              --line: #d6d9dc; --asked: #6b7785; --measured: #0b63b5; --good: #1b7a3d; --warn: #9a5b00; --bad: #b3261e; }
            @media (prefers-color-scheme: dark) {
              :root { --ground: #15171a; --raised: #1e2125; --ink: #e7e9eb; --faint: #a3abb3; --line: #3a3f45;
                --asked: #97a3b0; --measured: #6fb3f2; --good: #6bcf8e; --warn: #f0b35a; --bad: #ff8a80; } }
            * { box-sizing: border-box; }
            body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.45 system-ui, sans-serif; }
            main { max-width: 62rem; margin: 0 auto; padding: 0 1rem 2rem; overflow-wrap: anywhere; }
            .kind { margin: 1rem 0 0; color: var(--bad); font-weight: 700; }
            h1 { margin: 0; font-size: 1.6rem; }
            h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
            h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
            .badge { border: 2px solid currentColor; border-radius: .4rem; padding: .1rem .5rem; }
            .good { color: var(--good); } .warn { color: var(--warn); }
            .live { border-left: 4px solid var(--warn); padding: .3rem .8rem; background: var(--raised); }
            .capacity { font-size: 1.8rem; margin: .5rem 0; } .lead { font-size: 1.1rem; }
            .figure { margin: 1rem 0; }
            dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .5rem 1rem; margin: .5rem 0; }
            dt { color: var(--faint); font-size: .85rem; } dd { margin: 0; }
            .chart, .table { overflow-x: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
            :focus-visible { outline: 3px solid var(--measured); outline-offset: 2px; }
            svg { display: block; width: 100%; min-width: 36rem; height: auto; }
            svg text { fill: var(--ink); font-size: 12px; } svg .tick, svg .mark { fill: var(--faint); font-size: 11px; }
            .end { text-anchor: end; } .middle { text-anchor: middle; }
            .grid { stroke: var(--line); stroke-width: .5; }
            .step { stroke: var(--faint); stroke-width: .7; stroke-dasharray: 2 3; } .step.over { stroke: var(--bad); }
            .curve { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
            .curve.asked { stroke: var(--asked); stroke-dasharray: 6 4; }
            .curve.measured { stroke: var(--measured); } .curve.p50 { stroke: var(--good); stroke-width: 1.5; }
            .curve.service, .curve.peers { stroke: var(--asked); } .curve.peers { stroke-width: 1.5; }
            .curve.threshold { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 5 4; }
            .curve.rule { stroke: var(--bad); stroke-width: 1.5; }
            rect.breached { fill: var(--bad); } rect.inconclusive { fill: var(--warn); }
            .point.good { fill: var(--good); } .point.bad { fill: var(--bad); }
            rect.interval { fill: var(--measured); opacity: .18; } line.knee { stroke: var(--measured); stroke-width: 2; }
            .legend { margin: .3rem 0; font-size: .85rem; }
            .key { display: inline-block; margin-right: 1rem; }
            .key::before { content: ""; display: inline-block; width: 1.4rem; margin-right: .35rem; vertical-align: middle;
              border-top: 3px solid var(--measured); }
            .key.asked::before { border-top: 3px dashed var(--asked); } .key.service::before, .key.peers::before { border-top-color: var(--asked); }
            .key.threshold::before { border-top: 3px dashed var(--bad); } .key.rule::before { border-top-color: var(--bad); } .key.p50::before { border-top-color: var(--good); }
            .key.breached::before { border-top: .7rem solid var(--bad); width: .5rem; }
            .key.inconclusive::before { border-top: .35rem solid var(--warn); width: .5rem; }
            .key.interval::before { border-top: .7rem solid var(--measured); opacity: .3; }
            .key.step { stroke: none; } .key.step::before { border-top: 2px dotted var(--faint); }
            .key.point-good::before { width: .6rem; height: .6rem; border: 0; border-radius: 50%; background: var(--good); }
            .key.point-bad::before { width: .6rem; height: .6rem; border: 0; background: var(--bad); }
            table { border-collapse: collapse; font-size: .85rem; width: 100%; }
            caption { text-align: left; color: var(--faint); padding: .3rem .5rem; }
            th, td { text-align: left; vertical-align: top; padding: .25rem .5rem; border-top: 1px solid var(--line);
              min-width: 4.5rem; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
            details { margin: 1rem 0; } summary { cursor: pointer; padding: .4rem 0; }
            footer { margin-top: 2rem; color: var(--faint); font-size: .85rem; }
            @media print {
              :root { --ground: #fff; --raised: #fff; --ink: #000; --faint: #444; --line: #bbb; --asked: #6b7785;
                --measured: #0b63b5; --good: #1b7a3d; --warn: #9a5b00; --bad: #b3261e; }
              @page { size: A4; margin: 15mm; }
              main { max-width: none; padding: 0; } body { font-size: 9.5pt; } h2 { margin-top: 1.4rem; }
              .chart, .table { overflow: visible; border: 0; } svg { min-width: 0; }
              .figure, .chart, tr, dl > div { break-inside: avoid; } h2, h3, caption { break-after: avoid; }
              p { orphans: 3; widows: 3; } thead { display: table-header-group; } details { display: none; }
              dl { grid-template-columns: repeat(4, 1fr); } th, td { min-width: 0; overflow-wrap: anywhere; }
              table { font-size: 7.5pt; } }
            """;

    static final String POLICY = "default-src 'none'; style-src 'sha256-" + digest()
            + "'; base-uri 'none'; form-action 'none'";

    private ReportStylesheet() {}

    private static String digest() {
        return Base64.getEncoder().encodeToString(Sha256.of(TEXT));
    }
}
