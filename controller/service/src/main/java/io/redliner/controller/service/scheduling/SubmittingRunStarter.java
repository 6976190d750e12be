// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.safety.RejectionReason;
import io.redliner.controller.core.safety.RunRejectedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import io.redliner.controller.service.submission.RunSubmissionService;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Submits runs as the API does. */
final class SubmittingRunStarter implements RunStarter {

    private final RunSubmissionService submission;

    private final SeriesService series;

    private final PlanWriter writer;

    /** The submitter of the runs, so that each user that may approve runs is a second person. */
    private static final String ACTOR = "schedule";

    private final IdempotencyKeys keys;

    SubmittingRunStarter(RunSubmissionService submission, SeriesService series, PlanWriter writer,
            IdempotencyKeys keys) {
        this.submission = submission;
        this.series = series;
        this.writer = writer;
        this.keys = keys;
    }

    @Override
    public Optional<String> started(String key) {
        return keys.find(key).map(IdempotencyKeys.Use::id);
    }

    @Override
    public Answer start(Plan plan, @Nullable String deployment, String key) {
        try {
            if (plan.profile().series()) {
                return new Answer.Started(series.submit(plan, deployment, key, writer.hash(plan)).id());
            }
            return new Answer.Started(submission.submit(plan, ACTOR, deployment, key, writer.hash(plan)).id());
        } catch (RunRejectedException rejected) {
            String code = rejected.reason().wireName();
            String reason = String.valueOf(rejected.getMessage());
            return rejected.reason() == RejectionReason.VERSION_GONE
                    ? new Answer.NotApplicable(code, reason)
                    : new Answer.Refused(code, reason, rejected.reason().retryHelps());
        }
    }
}
