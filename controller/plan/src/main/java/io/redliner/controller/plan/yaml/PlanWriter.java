// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Plan.PlanSafety;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.plan.Timing;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/** Writes plans in their canonical form: JSON with every default filled in, one order of fields, one form of units. */
public final class PlanWriter {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the canonical JSON; {@link PlanReader} reads it back to an equal plan. */
    public String write(Plan plan) {
        return JSON.writeValueAsString(content(plan));
    }

    /** SHA-256 of the canonical JSON in lower-case hexadecimal. */
    public String hash(Plan plan) {
        return Sha256.hex(write(plan));
    }

    /** Returns the plan's canonical JSON with its name and hash. */
    public CanonicalPlan canonical(Plan plan) {
        return CanonicalPlan.of(plan.name(), write(plan));
    }

    /** Returns the canonical content as ordered maps. */
    public Map<String, Object> content(Plan plan) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", plan.name());
        metadata.put("labels", plan.labels());
        Map<String, Object> specification = new LinkedHashMap<>();
        specification.put("service", plan.service());
        specification.put("sut", SutReader.content(plan.sut()));
        specification.put("profile", PlanReader.written(plan.profile()));
        specification.put("redirect", RedirectWriter.content(plan.redirect()));
        specification.put("sla", rules(plan.sla()));
        specification.put("guards", rules(plan.guards()));
        specification.put("limits", limits(plan.limits()));
        Schedule schedule = plan.schedule();
        if (schedule != null) {
            specification.put("schedule", ScheduleWriter.content(schedule));
        }
        if (!plan.notifications().isEmpty()) {
            specification.put("notify", plan.notifications().stream().map(PlanWriter::notification).toList());
        }
        Map<String, Object> safety = safety(plan.safety());
        if (!safety.isEmpty()) {
            specification.put("safety", safety);
        }
        if (plan.settings() != null) {
            specification.put(PlanReader.written(plan.profile()), ProfileWriter.content(plan.settings()));
        }
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("apiVersion", "redliner.io/v1");
        content.put("kind", "CapacityTest");
        content.put("metadata", metadata);
        content.put("spec", specification);
        return content;
    }

    private static List<Map<String, Object>> rules(List<Rule> rules) {
        return rules.stream().map(rule -> {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", rule.name());
            entry.put("expr", rule.expression());
            entry.put("informational", rule.informational());
            return entry;
        }).toList();
    }

    private static Map<String, Object> limits(PlanLimits limits) {
        Map<String, Object> entries = new LinkedHashMap<>();
        entries.put("maxShare", limits.maxShare().toString());
        entries.put("maxRaise", limits.maxRaise().toString());
        entries.put("maxDuration", DurationText.write(limits.maxDuration()));
        entries.put("harmBudget", limits.harmBudget().toString());
        entries.put("window", DurationText.write(limits.window()));
        if (limits.precision() != null) {
            entries.put("precision", Ratio.of(limits.precision().halfWidth()).toString());
        }
        return entries;
    }

    /** Returns the canonical content of a subscription: its events are always listed, in one order. */
    private static Map<String, Object> notification(NotificationSubscription subscription) {
        Map<String, Object> entry = new LinkedHashMap<>();
        switch (subscription.receiver()) {
            case NotificationChannel.Named named -> entry.put("target", named.name());
            case NotificationChannel.Slack slack -> entry.put("slack", slack.url().toString());
            case NotificationChannel.Email email -> entry.put("email", email.addresses());
            case NotificationChannel.Webhook webhook -> {
                entry.put("webhook", webhook.url().toString());
                if (webhook.secret() != null) {
                    entry.put("secret", webhook.secret());
                }
            }
        }
        entry.put("on", subscription.on().stream().map(PlanReader::written).toList());
        return entry;
    }

    /** Returns the canonical content of the section {@code safety}; empty for {@link PlanSafety#NONE}. */
    private static Map<String, Object> safety(PlanSafety safety) {
        Map<String, Object> content = new LinkedHashMap<>();
        String group = safety.conflictGroup();
        if (group != null) {
            content.put("conflictGroup", group);
        }
        Duration within = safety.approvalWithin();
        if (within != null) {
            content.put("approval", Map.of("within", DurationText.write(within)));
        }
        if (safety.trafficRequired()) {
            content.put("traffic", "required");
        }
        return content;
    }

    /** Writes the canonical content of a schedule. */
    private static final class ScheduleWriter {

        private ScheduleWriter() {}

        static Map<String, Object> content(Schedule schedule) {
            Map<String, Object> content = new LinkedHashMap<>();
            Timing timing = schedule.timing();
            if (timing != null) {
                switch (timing) {
                    case Timing.Cron cron -> content.put("cron", cron.expression());
                    case Timing.Every every -> content.put("interval", DurationText.write(every.interval()));
                }
            }
            content.put("zone", ScheduleReader.written(schedule.zone()));
            if (!schedule.jitter().isZero()) {
                content.put("jitter", DurationText.write(schedule.jitter()));
            }
            if (schedule.onDeployment()) {
                content.put("on", List.of(ScheduleReader.DEPLOYMENT));
            }
            if (!schedule.delay().isZero()) {
                content.put("delay", DurationText.write(schedule.delay()));
            }
            if (!schedule.only().isEmpty()) {
                content.put("only", schedule.only().stream().map(ScheduleWriter::hours).toList());
            }
            if (!schedule.except().isEmpty()) {
                content.put("except", schedule.except().stream().map(Blackout::text).toList());
            }
            content.put("missed", PlanReader.written(schedule.misfires().policy()));
            content.put("missedWithin", DurationText.write(schedule.misfires().within()));
            return content;
        }

        private static Map<String, Object> hours(AllowedHours hours) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("days", hours.days().stream().map(AllowedHours::written).toList());
            content.put("from", AllowedHours.written(hours.from()));
            content.put("to", AllowedHours.written(hours.to()));
            return content;
        }
    }

    /** Writes the canonical content of a redirect, which for {@link Redirect#SPLIT} is the mode alone. */
    private static final class RedirectWriter {

        private RedirectWriter() {}

        static Map<String, Object> content(Redirect redirect) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("mode", PlanReader.written(redirect.mode()));
            RoutingAttribute attribute = redirect.attribute();
            if (attribute != null) {
                content.put("attribute", Map.of(PlanReader.written(attribute.source()), attribute.name()));
            }
            Integer modulus = redirect.modulus();
            if (modulus != null) {
                content.put("modulus", modulus);
            }
            if (!redirect.cohorts().isEmpty()) {
                content.put("cohorts", redirect.cohorts().stream().map(RedirectWriter::cohort).toList());
            }
            return content;
        }

        private static Map<String, Object> cohort(Cohort cohort) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("name", cohort.name());
            if (!cohort.headers().isEmpty()) {
                content.put("headers", cohort.headers().stream().map(RedirectWriter::header).toList());
            }
            PathMatch path = cohort.path();
            if (path != null) {
                content.put(CohortReader.field(path.kind()), path.value());
            }
            if (!cohort.methods().isEmpty()) {
                content.put("methods", cohort.methods());
            }
            return content;
        }

        private static Map<String, Object> header(HeaderMatch header) {
            Map<String, Object> content = new LinkedHashMap<>();
            content.put("name", header.name());
            String exact = header.exact();
            Long from = header.from();
            Long to = header.to();
            if (exact != null) {
                content.put("exact", exact);
            } else if (from != null && to != null) {
                content.put("from", from);
                content.put("to", to);
            }
            return content;
        }
    }
}
