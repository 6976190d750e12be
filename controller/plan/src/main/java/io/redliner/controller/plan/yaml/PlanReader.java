// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.DocumentProblem;
import io.redliner.contract.document.InvalidDocumentException;
import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.ValidationErrors;
import io.redliner.contract.document.YamlNode;
import io.redliner.contract.document.YamlParser;
import io.redliner.contract.limit.Precision;
import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.Share;
import io.redliner.contract.text.PlainText;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.NotificationSubscription;
import io.redliner.controller.plan.Plan;
import io.redliner.controller.plan.Plan.PlanSafety;
import io.redliner.controller.plan.PlanLimits;
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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
     * @throws InvalidDocumentException with all mistakes
     */
    public Plan read(String text) throws InvalidDocumentException {
        return read(YamlParser.readPlan(text));
    }

    /**
     * Reads a YAML or JSON document that is a plan, and checks it against the present state of the controller.
     *
     * @param check finds what is wrong with a plan that can be read
     * @throws InvalidDocumentException with all mistakes
     */
    public Plan read(String text, Function<Plan, Optional<DocumentProblem.Unlocated>> check)
            throws InvalidDocumentException {
        return checked(YamlParser.readPlan(text), check);
    }

    /**
     * Reads a YAML text with any number of documents that are plans, or a JSON text with one.
     *
     * @param check finds what is wrong with a plan that can be read
     * @throws InvalidDocumentException with all mistakes
     */
    public List<LocatedPlan> readAll(String text, Function<Plan, Optional<DocumentProblem.Unlocated>> check)
            throws InvalidDocumentException {
        List<LocatedPlan> plans = new ArrayList<>();
        ValidationErrors errors = new ValidationErrors();
        for (YamlNode document : YamlParser.readPlans(text)) {
            try {
                plans.add(new LocatedPlan(checked(document, check), document.line()));
            } catch (InvalidDocumentException invalid) {
                invalid.problems().forEach(problem -> errors.add(() -> problem));
            }
        }
        errors.throwIfAny();
        return plans;
    }

    private Plan checked(YamlNode document, Function<Plan, Optional<DocumentProblem.Unlocated>> check)
            throws InvalidDocumentException {
        Plan plan = read(document);
        Optional<DocumentProblem.Unlocated> problem = check.apply(plan);
        if (problem.isPresent()) {
            YamlNode at = document.find(problem.get().path()).orElse(document);
            throw new InvalidDocumentException(
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
     * @throws InvalidDocumentException with all mistakes
     */
    public Plan read(YamlNode document) throws InvalidDocumentException {
        return NodeReader.read(document, this::plan);
    }

    private @Nullable Plan plan(NodeReader root) {
        root.required("apiVersion", text -> exactly(API_VERSION, text));
        root.required("kind", text -> exactly(KIND, text));
        NodeReader metadata = root.requiredObject("metadata");
        String name = metadata.required("name", Plan::requireName);
        Map<String, String> labels = metadata.object("labels").entries(PlainText::requireLine);
        NodeReader spec = root.requiredObject("spec");
        String service = spec.required("service", Plan::requireService);
        Profile profile = spec.optional("profile",
                text -> known(Profile.values(), text), Profile.CAPACITY);
        SutChoice choice = profile.series()
                ? spec.optionalObject("sut", SutReader::read)
                : SutReader.read(spec.requiredObject("sut"));
        Redirect redirect = RedirectReader.read(spec.object("redirect"));
        RuleReader rules = new RuleReader(compiler);
        List<Rule> sla = rules.read(spec, "sla", true);
        List<Rule> guards = rules.read(spec, "guards", false);
        if (root.sound() && sla.stream().allMatch(Rule::informational)) {
            spec.mistake("sla", "needs at least one rule that is not informational");
        }
        NodeReader limitFields = spec.object("limits");
        PlanLimits limits = limits(limitFields);
        ProfileSettings settings = ProfileReader.read(spec, profile, limits, rules);
        requireSearch(limitFields, profile, settings);
        SutChoice sut = choice == null ? ProfileReader.firstSut(settings) : choice;
        PlanSafety safety = safety(spec.object("safety"));
        Schedule schedule = spec.optionalObject("schedule", ScheduleReader::read);
        List<NotificationSubscription> notifications = NotificationReader.read(spec);
        return root.make(
                () -> new Plan(requireNonNull(name), labels, requireNonNull(service), requireNonNull(sut), profile,
                        requireNonNull(redirect), sla, guards, requireNonNull(limits), schedule, notifications,
                        settings, safety));
    }

    /** Refuses a precision when none of the plan's runs searches for a capacity. */
    private static void requireSearch(NodeReader limits, Profile profile, @Nullable ProfileSettings settings) {
        boolean latencies = settings instanceof ProfileSettings.Regression regression && regression.load() != null;
        if (limits.has("precision") && (latencies || !profile.searches())) {
            limits.mistake("precision", "is for runs that search for the capacity, and those of "
                    + (latencies ? "a regression of latencies" : "profile " + written(profile))
                    + " do not: leave it out");
        }
    }

    private static @Nullable PlanLimits limits(NodeReader limits) {
        PlanLimits defaults = PlanLimits.DEFAULT;
        Share maxShare = limits.optional("maxShare", text -> PlanLimits.requireMaxShare(Share.parse(text)),
                defaults.maxShare());
        Factor maxRaise = limits.optional("maxRaise", Factor::parse, defaults.maxRaise());
        Duration maxDuration = limits.optional("maxDuration",
                text -> PlanLimits.requireMaxDuration(DurationText.parse(text)), defaults.maxDuration());
        Ratio harmBudget = limits.optional("harmBudget", text -> PlanLimits.requireHarmBudget(Ratio.parse(text)),
                defaults.harmBudget());
        Duration window = limits.optional("window", text -> PlanLimits.requireWindow(DurationText.parse(text)),
                defaults.window());
        Precision precision = limits.optional("precision", text -> new Precision(Ratio.parse(text).asDouble()));
        return limits.attempt(() -> new PlanLimits(maxShare, maxRaise, maxDuration, harmBudget, window, precision));
    }

    private static PlanSafety safety(NodeReader safety) {
        String group = safety.optional("conflictGroup", PlanSafety::requireGroup);
        Duration within = safety.optionalObject("approval", approval -> approval.required("within",
                text -> PlanSafety.requireApprovalWithin(DurationText.parse(text))));
        boolean traffic = safety.optional("traffic", PlanReader::requiresTraffic, false);
        return new PlanSafety(group, within, traffic);
    }

    private static boolean requiresTraffic(String text) {
        return switch (text) {
            case "required" -> true;
            case "any" -> false;
            default -> throw new IllegalArgumentException("is neither required nor any");
        };
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
}
