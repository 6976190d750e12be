// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import io.redliner.controller.core.port.IdempotencyConflictException;
import io.redliner.controller.core.port.ServiceBusyException;
import io.redliner.controller.core.safety.StartRefusedException;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.yaml.PlanWriter;
import io.redliner.controller.service.execution.RejectionReason;
import io.redliner.controller.service.execution.RunRejectedException;
import io.redliner.controller.service.execution.RunSubmissionService;
import io.redliner.controller.service.persistence.IdempotencyKeys;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Submits runs as the API does. */
final class SubmittingRunStarter implements RunStarter {

    private final RunSubmissionService submission;

    private final SeriesService series;

    private final PlanWriter writer;

    /** Whoever may approve runs is somebody else. */
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
            return new Answer.Started(submission.submit(plan, ACTOR, deployment, key, writer.hash(plan)).runId());
        } catch (ServiceBusyException busy) {
            return new Answer.Refused("service-busy", String.valueOf(busy.getMessage()), true);
        } catch (StartRefusedException refused) {
            return new Answer.Refused(refused.refusedFor().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    String.valueOf(refused.getMessage()), true);
        } catch (RunRejectedException refused) {
            String code = refused.refusal().name().toLowerCase(Locale.ROOT).replace('_', '-');
            return refused.refusal() == RejectionReason.VERSION_GONE
                    ? new Answer.Pointless(code, String.valueOf(refused.getMessage()))
                    : new Answer.Refused(code, String.valueOf(refused.getMessage()), true);
        } catch (IdempotencyConflictException conflict) {
            return new Answer.Refused("idempotency-conflict", String.valueOf(conflict.getMessage()), false);
        }
    }
}
