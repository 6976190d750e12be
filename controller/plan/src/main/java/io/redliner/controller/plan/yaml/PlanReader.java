// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.InvalidPlanException;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Plan.PlanSafety;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.PlanProblem;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.Schedule;
import io.redliner.controller.plan.SutChoice;
import io.redliner.sla.Rule;
import io.redliner.sla.RuleCompiler;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads plans. Every mistake is reported with line, column and JSON path; an unknown field is a mistake. */
public final class PlanReader {

    private static final String API_VERSION = "redliner.io/v1";

    private static final String KIND = "CapacityTest";

    private final RuleCompiler compiler;

    /** @param compiler checks the expressions of the rules */
    public PlanReader(RuleCompiler compiler) {
        this.compiler = compiler;
    }

    /**
     * Reads a YAML or JSON document that is a plan.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public Plan read(String text) throws InvalidPlanException {
        return read(YamlParser.readPlan(text));
    }

    /**
     * Reads a YAML or JSON document that is a plan, and checks it against the present state of the controller.
     *
     * @param check finds what is wrong with a plan that can be read
     * @throws InvalidPlanException with all mistakes
     */
    public Plan read(String text, Function<Plan, Optional<PlanProblem.Unlocated>> check) throws InvalidPlanException {
        return checked(YamlParser.readPlan(text), check);
    }

    /**
     * Reads a YAML text with any number of documents that are plans, or a JSON text with one.
     *
     * @param check finds what is wrong with a plan that can be read
     * @throws InvalidPlanException with all mistakes
     */
    public List<LocatedPlan> readAll(String text, Function<Plan, Optional<PlanProblem.Unlocated>> check)
            throws InvalidPlanException {
        List<LocatedPlan> plans = new ArrayList<>();
        ValidationErrors errors = new ValidationErrors();
        for (YamlNode document : YamlParser.readPlans(text)) {
            try {
                plans.add(new LocatedPlan(checked(document, check), document.line()));
            } catch (InvalidPlanException invalid) {
                invalid.problems().forEach(errors::add);
            }
        }
        errors.throwIfAny();
        return plans;
    }

    private Plan checked(YamlNode document, Function<Plan, Optional<PlanProblem.Unlocated>> check)
            throws InvalidPlanException {
        Plan plan = read(document);
        Optional<PlanProblem.Unlocated> problem = check.apply(plan);
        if (problem.isPresent()) {
            YamlNode at = document.find(problem.get().path()).orElse(document);
            throw new InvalidPlanException(
                    List.of(problem.get().at(at.line(), at.column())));
        }
        return plan;
    }

    /** Returns the JSON Schema (2020-12) of a plan file: for editors and for programs that write plans. */
    public static String schema() {
        try (InputStream schema = Objects.requireNonNull(PlanReader.class.getResourceAsStream("plan.schema.json"))) {
            return new String(schema.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Reads a plan from a value of a document.
     *
     * @throws InvalidPlanException with all mistakes
     */
    public Plan read(YamlNode document) throws InvalidPlanException {
        ValidationErrors errors = new ValidationErrors();
        NodeReader root = NodeReader.of(document, errors);
        root.required("apiVersion", text -> exactly(API_VERSION, text));
        root.required("kind", text -> exactly(KIND, text));
        NodeReader metadata = root.requiredObject("metadata");
        String name = metadata == null ? null : metadata.required("name", Plan::requireName);
        Map<String, String> labels = labels(metadata);
        NodeReader spec = root.requiredObject("spec");
        root.rejectOthers();
        Plan plan = spec == null ? null : plan(name, labels, spec, errors);
        errors.throwIfAny();
        if (plan == null) {
            throw new IllegalStateException("a missing name or spec is a problem");
        }
        return plan;
    }

    private static Map<String, String> labels(@Nullable NodeReader metadata) {
        if (metadata == null) {
            return Map.of();
        }
        NodeReader labels = metadata.optionalObject("labels");
        metadata.rejectOthers();
        return labels == null ? Map.of() : labels.texts();
    }

    private @Nullable Plan plan(@Nullable String name, Map<String, String> labels, NodeReader spec,
            ValidationErrors errors) {
        String service = spec.required("service", Plan::requireService);
        Profile profile = spec.optional("profile",
                text -> known(Profile.values(), text), Profile.CAPACITY);
        SutChoice choice = SutReader.read(
                profile.series() ? spec.optionalObject("sut") : spec.requiredObject("sut"), errors);
        Redirect redirect = RedirectReader.read(spec.optionalObject("redirect"), errors);
        Set<String> ruleNames = new HashSet<>();
        RuleReader rules = new RuleReader(compiler, errors, ruleNames);
        List<Rule> sla = rules.read(spec.list("sla", true));
        List<Rule> guards = rules.read(spec.list("guards", false));
        requireActingRule(spec, sla, errors);
        PlanLimits limits = limits(spec.optionalObject("limits"), errors);
        ProfileSettings settings = ProfileReader.read(spec, profile, limits, rules, errors);
        requireSearch(spec, profile, settings, errors);
        SutChoice sut = choice == null ? SeriesReader.first(settings) : choice;
        PlanSafety safety = safety(spec.optionalObject("safety"));
        Schedule schedule = ScheduleReader.read(spec.optionalObject("schedule"), errors);
        List<NotificationSubscription> notifications = NotificationReader.read(spec, errors);
        spec.rejectOthers();
        return name == null || service == null || sut == null || redirect == null || limits == null || !errors.isEmpty()
                ? null
                : new Plan(name, labels, service, sut, profile, redirect, sla, guards, limits, schedule, notifications,
                        settings, safety);
    }

    private static void requireActingRule(NodeReader spec, List<Rule> sla, ValidationErrors errors) {
        YamlNode.Field field = spec.object().fields().get("sla");
        if (field != null && errors.isEmpty() && sla.stream().allMatch(Rule::informational)) {
            errors.add(field.value(), "needs at least one rule that is not informational");
        }
    }

    /** Refuses a precision when none of the plan's runs searches for a capacity. */
    private static void requireSearch(NodeReader spec, Profile profile, @Nullable ProfileSettings settings,
            ValidationErrors errors) {
        boolean latencies = settings instanceof ProfileSettings.Regression regression && regression.load() != null;
        YamlNode.Field limits = spec.object().fields().get("limits");
        YamlNode.Field precision = limits != null && limits.value() instanceof YamlNode.Fields fields
                ? fields.fields().get("precision")
                : null;
        if (precision != null && (latencies || !profile.searches())) {
            errors.add(precision.value(), "is for runs that search for the capacity, and those of "
                    + (latencies ? "a regression of latencies" : "profile " + written(profile))
                    + " do not: leave it out");
        }
    }

    private static @Nullable PlanLimits limits(@Nullable NodeReader limits, ValidationErrors errors) {
        PlanLimits defaults = PlanLimits.DEFAULT;
        if (limits == null) {
            return defaults;
        }
        Share maxShare = limits.optional("maxShare", text -> PlanLimits.requireMaxShare(Share.parse(text)),
                defaults.maxShare());
        Factor maxRaise = limits.optional("maxRaise", Factor::parse, defaults.maxRaise());
        Duration maxDuration = limits.optional("maxDuration",
                text -> PlanLimits.requireMaxDuration(DurationText.parse(text)), defaults.maxDuration());
        Ratio harmBudget = limits.optional("harmBudget", text -> PlanLimits.requireHarmBudget(Ratio.parse(text)),
                defaults.harmBudget());
        Duration window = limits.optional("window", text -> PlanLimits.requireWindow(DurationText.parse(text)),
                defaults.window());
        Precision precision = limits.optionalIfAny("precision",
                text -> new Precision(Ratio.parse(text).asDouble()));
        limits.rejectOthers();
        try {
            return new PlanLimits(maxShare, maxRaise, maxDuration, harmBudget, window, precision);
        } catch (IllegalArgumentException invalid) {
            errors.add(limits.object(), String.valueOf(invalid.getMessage()));
            return null;
        }
    }

    private static String exactly(String wanted, String text) {
        if (!wanted.equals(text)) {
            throw new IllegalArgumentException("must be " + wanted);
        }
        return text;
    }

    /** Returns the constant that a plan writes as this text. */
    static <E extends Enum<E>> E known(E[] all, String text) {
        return Stream.of(all)
                .filter(one -> written(one).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("is unknown; known are "
                        + Stream.of(all).map(PlanReader::written).collect(Collectors.joining(", "))));
    }

    static String written(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * A plan of a text with several.
     *
     * @param line at which its document begins, 1-based
     */
    public record LocatedPlan(Plan plan, int line) {}

    private static PlanSafety safety(@Nullable NodeReader safety) {
        if (safety == null) {
            return PlanSafety.NONE;
        }
        String group = safety.optionalIfAny("conflictGroup", PlanSafety::requireGroup);
        NodeReader approval = safety.optionalObject("approval");
        Duration within = approval == null
                ? null
                : approval.required("within", text -> PlanSafety.requireApprovalWithin(DurationText.parse(text)));
        if (approval != null) {
            approval.rejectOthers();
        }
        boolean traffic = safety.optional("traffic", PlanReader::requiresTraffic, false);
        safety.rejectOthers();
        return new PlanSafety(group, within, traffic);
    }

    private static boolean requiresTraffic(String text) {
        return switch (text) {
            case "required" -> true;
            case "any" -> false;
            default -> throw new IllegalArgumentException("is neither required nor any");
        };
    }
}
