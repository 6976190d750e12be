// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.report;

import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.SearchConclusion.Finding;
import io.redliner.controller.service.report.RunReport.Result;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One of two runs that are compared.
 *
 * @param version of the SUT's software; absent when unknown
 * @param hardware class of the instance; absent when unknown
 */
public record ComparedRun(String runId, String service, String sut, @Nullable String version,
        @Nullable String hardware, Instant submittedAt, Terms terms, Answer answer) {

    /**
     * The terms on which a capacity is found: under another SLA, redirect or window it is another capacity.
     *
     * @param sla the rules that count: their names and expressions
     * @param redirect which traffic is moved, and how, as JSON
     * @param window length of a judged window, as in the plan
     */
    public record Terms(String profile, List<Section.Fact> sla, String redirect, String window) {

        public Terms {
            sla = List.copyOf(sla);
        }
    }

    /**
     * The answer of the run.
     *
     * @param headline see {@link io.redliner.controller.core.run.Headline}; absent while the run is live
     * @param exitCode of the run; absent while it is live
     * @param result absent when the answer is no capacity
     * @param certainty absent without a result
     * @param bottleneck the most likely one; absent when none was reported
     */
    public record Answer(boolean live, @Nullable String outcome, @Nullable Integer exitCode,
            @Nullable String headline, @Nullable Result result,
            @Nullable Certainty certainty, @Nullable Finding bottleneck, HarmView harm) {}
}
