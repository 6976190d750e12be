// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.core.run.JudgedWindow;
import io.redliner.controller.service.persistence.LiveRunRepository.Live;
import io.redliner.controller.service.report.HarmView;
import io.redliner.controller.service.web.WindowView.RuleView;
import io.redliner.sla.Judgement;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A live run at a glance. Shares are ratios, times seconds, rates requests/s.
 *
 * @param windowEndedAt when the newest window ended; with the fields behind it absent while there is none
 * @param rule of the SLA and the guards, broken ones first, the one that uses most of its limit; none that is only
 *            informational
 */
record LiveRunView(String id, String service, String sut, String plan, String profile, String phase,
        Instant submittedAt, double askedShare, double maxShare, HarmView harm, double windowSeconds,
        double maxDurationSeconds, @Nullable Instant windowEndedAt, @Nullable Double measuredShare,
        @Nullable Double requestsPerSecond, @Nullable Double latencyP99Seconds, @Nullable RuleView rule) {

    private static final Comparator<RuleView> URGENCY = Comparator
            .comparing((RuleView rule) -> rule.judgement().equals(Judgement.BREACHED.name()))
            .thenComparingDouble(rule -> rule.utilisation() == null ? -1 : rule.utilisation());

    static LiveRunView of(Live live) {
        RunView run = RunView.brief(live.run());
        JudgedWindow judged = live.window();
        WindowView window = judged == null ? null : WindowView.of(judged);
        return new LiveRunView(run.id(), run.service(), run.sut(), run.plan(), run.profile(), run.phase(),
                run.submittedAt(), run.askedShare(), run.maxShare(), run.harm(), run.windowSeconds(),
                run.maxDurationSeconds(), judged == null ? null : judged.verdict().windowEnd(),
                window == null ? null : window.shareMeasured(), window == null ? null : window.requestsPerSecond(),
                window == null ? null : window.latencyP99Seconds(), window == null ? null : urgent(window.rules()));
    }

    private static @Nullable RuleView urgent(List<RuleView> rules) {
        return rules.stream().filter(rule -> !rule.informational()).max(URGENCY).orElse(null);
    }
}
