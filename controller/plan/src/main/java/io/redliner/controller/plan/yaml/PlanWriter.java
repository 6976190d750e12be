// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.Cohort;
import io.redliner.contract.redirect.HeaderMatch;
import io.redliner.contract.redirect.PathMatch;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RoutingAttribute;
import io.redliner.controller.plan.AllowedHours;
import io.redliner.controller.plan.Blackout;
import io.redliner.controller.plan.CanonicalPlan;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.NotificationChannel;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Plan.PlanSafety;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.Sha256;
import io.redliner.controller.plan.Timing;
import io.redliner.sla.Rule;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
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
        Map<String, Object> specification = content("service", plan.service(), "sut", SutReader.content(plan.sut()),
                "profile", plan.profile(), "redirect", redirect(plan.redirect()), "sla", rules(plan.sla()), "guards",
                rules(plan.guards()), "limits", limits(plan.limits()), "schedule", schedule(plan.schedule()), "notify",
                each(plan.notifications(), PlanWriter::notification), "safety", safety(plan.safety()),
                PlanReader.written(plan.profile()), settings(plan.settings()));
        return content("apiVersion", "redliner.io/v1", "kind", "CapacityTest", "metadata",
                content("name", plan.name(), "labels", plan.labels()), "spec", specification);
    }

    /** Returns names with their values as plans write them; a null leaves its name out. */
    static Map<String, Object> content(@Nullable Object... namesAndValues) {
        Map<String, Object> content = new LinkedHashMap<>();
        for (int at = 0; at < namesAndValues.length; at += 2) {
            Object value = namesAndValues[at + 1];
            if (value != null) {
                content.put(String.valueOf(namesAndValues[at]), written(value));
            }
        }
        return content;
    }

    private static Object written(Object value) {
        return switch (value) {
            case Duration duration -> DurationText.write(duration);
            case Enum<?> constant -> PlanReader.written(constant);
            case Boolean truth -> truth;
            case Integer number -> number;
            case Long number -> number;
            case List<?> list -> list;
            case Map<?, ?> map -> map;
            default -> value.toString();
        };
    }

    private static <T> @Nullable List<Object> each(List<T> values, Function<T, Object> content) {
        return values.isEmpty() ? null : values.stream().map(content).toList();
    }

    private static List<Object> rules(List<Rule> rules) {
        return rules.stream()
                .<Object>map(rule -> content("name", rule.name(), "expr", rule.expression(), "informational",
                        rule.informational()))
                .toList();
    }

    private static Map<String, Object> limits(PlanLimits limits) {
        Precision precision = limits.precision();
        return content("maxShare", limits.maxShare(), "maxRaise", limits.maxRaise(), "maxDuration",
                limits.maxDuration(), "harmBudget", limits.harmBudget(), "window", limits.window(), "precision",
                precision == null ? null : Ratio.of(precision.halfWidth()));
    }

    /** Returns the canonical content of a subscription: its events are always listed, in one order. */
    private static Map<String, Object> notification(NotificationSubscription subscription) {
        List<String> on = subscription.on().stream().map(PlanReader::written).toList();
        return switch (subscription.receiver()) {
            case NotificationChannel.Named named -> content("target", named.name(), "on", on);
            case NotificationChannel.Slack slack -> content("slack", slack.url(), "on", on);
            case NotificationChannel.Email email -> content("email", email.addresses(), "on", on);
            case NotificationChannel.Webhook webhook -> content("webhook", webhook.url(), "secret", webhook.secret(),
                    "on", on);
        };
    }

    private static @Nullable Map<String, Object> safety(PlanSafety safety) {
        Duration within = safety.approvalWithin();
        Map<String, Object> content = content("conflictGroup", safety.conflictGroup(), "approval",
                within == null ? null : content("within", within), "traffic",
                safety.trafficRequired() ? "required" : null);
        return content.isEmpty() ? null : content;
    }

    private static @Nullable Map<String, Object> schedule(@Nullable Schedule schedule) {
        return schedule == null
                ? null
                : content("cron", schedule.timing() instanceof Timing.Cron cron ? cron.expression() : null, "interval",
                        schedule.timing() instanceof Timing.Every every ? every.interval() : null, "zone",
                        ScheduleReader.written(schedule.zone()), "jitter", unlessZero(schedule.jitter()), "on",
                        schedule.onDeployment() ? List.of(ScheduleReader.DEPLOYMENT) : null, "delay",
                        unlessZero(schedule.delay()), "only", each(schedule.only(), PlanWriter::hours), "except",
                        each(schedule.except(), Blackout::text), "missed", schedule.misfires().policy(),
                        "missedWithin", schedule.misfires().within());
    }

    private static @Nullable Duration unlessZero(Duration duration) {
        return duration.isZero() ? null : duration;
    }

    private static Map<String, Object> hours(AllowedHours hours) {
        return content("days", hours.days().stream().map(AllowedHours::written).toList(), "from",
                AllowedHours.written(hours.from()), "to", AllowedHours.written(hours.to()));
    }

    /** Returns the canonical content of a redirect, which for {@link Redirect#SPLIT} is the mode alone. */
    private static Map<String, Object> redirect(Redirect redirect) {
        RoutingAttribute attribute = redirect.attribute();
        return content("mode", redirect.mode(), "attribute",
                attribute == null ? null : content(PlanReader.written(attribute.source()), attribute.name()), "modulus",
                redirect.modulus(), "cohorts", each(redirect.cohorts(), PlanWriter::cohort));
    }

    private static Map<String, Object> cohort(Cohort cohort) {
        PathMatch path = cohort.path();
        return content("name", cohort.name(), "headers", each(cohort.headers(), PlanWriter::header),
                path == null ? "path" : RedirectReader.field(path.kind()), path == null ? null : path.value(),
                "methods",
                each(cohort.methods(), method -> method));
    }

    private static Map<String, Object> header(HeaderMatch header) {
        return content("name", header.name(), "exact", header.exact(), "from", header.from(), "to", header.to());
    }

    /** Returns the settings of a profile in the form that {@link ProfileReader} reads. */
    private static @Nullable Map<String, Object> settings(@Nullable ProfileSettings settings) {
        return switch (settings) {
            case null -> null;
            case ProfileSettings.Smoke smoke -> load(smoke.target(), "hold", smoke.hold());
            case ProfileSettings.Load load -> load(load.target(), "ramp", load.ramp(), "hold", load.hold());
            case ProfileSettings.Breakpoint breakpoint ->
                content("step", breakpoint.step(), "dwell", breakpoint.dwell(),
                        "until", breakpoint.until().stream()
                                .map(rule -> content("name", rule.name(), "expr", rule.expression())).toList());
            case ProfileSettings.Stress stress -> load(stress.target(), "ramp", stress.ramp(), "hold", stress.hold(),
                    "recovery", stress.recovery());
            case ProfileSettings.Spike spike ->
                load(spike.target(), "hold", spike.hold(), "recovery", spike.recovery());
            case ProfileSettings.Endurance endurance -> load(endurance.target(), "ramp", endurance.ramp(), "hold",
                    endurance.hold(), "drift", endurance.drift());
            case ProfileSettings.Recheck recheck -> content("hold", recheck.hold());
            case ProfileSettings.Scalability scalability -> content("points", scalability.points().stream()
                    .map(point -> content("instance", point.sut().instance(), "size", point.size().toPlainString()))
                    .toList());
            case ProfileSettings.Regression regression -> content("old", SutReader.contentOrName(regression.before()),
                    "new", SutReader.contentOrName(regression.after()), "rounds", regression.rounds(), "compare",
                    regression.compare(), "worseBy", regression.worseBy(), "load", settings(regression.load()));
        };
    }

    private static Map<String, Object> load(@Nullable LoadTarget target, @Nullable Object... namesAndValues) {
        Map<String, Object> content = target == null ? content() : content(target.kind().field(), target);
        content.putAll(content(namesAndValues));
        return content;
    }
}
