// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.ProfileSettings.Regression.Compare;
import io.redliner.controller.plan.ProfileSettings.Scalability.Point;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import io.redliner.sla.Rule;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the section of a plan that is named after its profile. */
final class ProfileReader {

    private static final Duration RAMP = Duration.ofSeconds(30);

    private static final Duration SMOKE = Duration.ofSeconds(30);

    private static final Duration RECHECK = Duration.ofSeconds(40);

    private static final Duration HOLD = Duration.ofMinutes(2);

    private static final Duration REGRESSION_HOLD = Duration.ofMinutes(1);

    private static final Duration RECOVERY = Duration.ofMinutes(2);

    private static final Duration DWELL = Duration.ofSeconds(15);

    private static final Duration MIN_ENDURANCE = Duration.ofMinutes(5);

    private final PlanLimits limits;

    private final RuleReader rules;

    private final NodeReader reader;

    private ProfileReader(PlanLimits limits, RuleReader rules, NodeReader reader) {
        this.limits = limits;
        this.rules = rules;
        this.reader = reader;
    }

    /**
     * Reads the settings; null when the profile has none, or when they have mistakes.
     *
     * @param limits absent when the plan's limits have mistakes
     */
    static @Nullable ProfileSettings read(NodeReader spec, Profile profile, @Nullable PlanLimits limits,
            RuleReader rules) {
        for (Profile one : Profile.values()) {
            String name = PlanReader.written(one);
            if (spec.has(name) && hasNoSettings(one)) {
                spec.mistake(name, "profile " + name + " has no settings");
            } else if (spec.has(name) && one != profile) {
                spec.mistake(name, "is only for profile " + name + ", and this plan has profile "
                        + PlanReader.written(profile));
            }
        }
        return hasNoSettings(profile)
                ? null
                : new ProfileReader(limits == null ? PlanLimits.DEFAULT : limits, rules,
                        spec.object(PlanReader.written(profile))).checked(profile);
    }

    private static boolean hasNoSettings(Profile profile) {
        return profile == Profile.CAPACITY || profile == Profile.BOTTLENECK;
    }

    private @Nullable ProfileSettings checked(Profile profile) {
        ProfileSettings settings = switch (profile) {
            case SMOKE -> smoke();
            case LOAD -> load(reader, HOLD);
            case BREAKPOINT -> breakpoint();
            case STRESS -> stress();
            case SPIKE -> spike();
            case ENDURANCE -> endurance();
            case RECHECK -> recheck();
            case SCALABILITY -> scalability();
            case REGRESSION -> regression();
            case CAPACITY, BOTTLENECK -> null;
        };
        if (settings != null && settings.takes().compareTo(limits.maxDuration()) > 0) {
            reader.mistake(
                    "takes " + DurationText.write(settings.takes()) + " with its baseline, and limits.maxDuration is "
                            + DurationText.write(limits.maxDuration()));
            return null;
        }
        return settings;
    }

    private @Nullable ProfileSettings smoke() {
        LoadTarget target = target(reader);
        Duration hold = duration(reader, "hold", SMOKE);
        return reader.make(() -> new ProfileSettings.Smoke(target, hold));
    }

    private static ProfileSettings.@Nullable Load load(NodeReader section, Duration usualHold) {
        LoadTarget target = target(section);
        if (target == null && section.sound()) {
            section.mistake("needs a load: target (requests/s), share, capacity (of the last known one) or factor");
        }
        Duration ramp = duration(section, "ramp", RAMP);
        Duration hold = duration(section, "hold", usualHold);
        return section.make(() -> new ProfileSettings.Load(requireNonNull(target), ramp, hold));
    }

    private @Nullable ProfileSettings breakpoint() {
        Factor step = reader.optional("step", Factor::parse, new Factor(new BigDecimal("1.25")));
        Duration dwell = duration(reader, "dwell", DWELL);
        List<Rule> until = rules.readConditions(reader, "until");
        if (step.value().compareTo(limits.maxRaise().value()) > 0) {
            reader.mistake("a step of " + step + " is more than limits.maxRaise, " + limits.maxRaise());
        }
        return reader.make(() -> new ProfileSettings.Breakpoint(step, dwell, until));
    }

    private @Nullable ProfileSettings stress() {
        LoadTarget target = target(reader, LoadTarget.Kind.CAPACITY, "120%");
        Duration ramp = duration(reader, "ramp", RAMP);
        Duration hold = duration(reader, "hold", Duration.ofSeconds(30));
        Duration recovery = duration(reader, "recovery", RECOVERY);
        return reader.make(() -> new ProfileSettings.Stress(target, ramp, hold, recovery));
    }

    private @Nullable ProfileSettings spike() {
        LoadTarget target = target(reader, LoadTarget.Kind.FACTOR, "2x");
        Duration hold = duration(reader, "hold", Duration.ofSeconds(15));
        Duration recovery = duration(reader, "recovery", RECOVERY);
        return reader.make(() -> new ProfileSettings.Spike(target, hold, recovery));
    }

    private @Nullable ProfileSettings recheck() {
        Duration hold = duration(reader, "hold", RECHECK);
        Duration minHold = limits.window().multipliedBy(ProfileSettings.Recheck.MIN_WINDOWS);
        ProfileSettings recheck = reader.make(() -> new ProfileSettings.Recheck(hold));
        if (recheck != null && hold.compareTo(minHold) < 0) {
            reader.mistake("hold is at least " + ProfileSettings.Recheck.MIN_WINDOWS + " windows of limits.window, "
                    + DurationText.write(minHold));
            return null;
        }
        return recheck;
    }

    private @Nullable ProfileSettings endurance() {
        LoadTarget target = target(reader, LoadTarget.Kind.CAPACITY, "70%");
        Duration ramp = duration(reader, "ramp", RAMP);
        Duration rest = limits.maxDuration().minus(ProfileSettings.OVERHEAD).minus(ramp);
        Duration hold = duration(reader, "hold", rest.compareTo(MIN_ENDURANCE) < 0 ? MIN_ENDURANCE : rest);
        Ratio drift = reader.optional("drift", Ratio::parse, new Ratio(new BigDecimal("0.1")));
        if (hold.compareTo(MIN_ENDURANCE) < 0) {
            reader.mistake("hold is at least " + DurationText.write(MIN_ENDURANCE)
                    + ": in less, drift cannot be distinguished from noise");
        }
        if (drift.value().signum() == 0) {
            reader.mistake("drift must be above 0");
        }
        return reader.make(() -> new ProfileSettings.Endurance(target, ramp, hold, drift));
    }

    private @Nullable ProfileSettings scalability() {
        List<Point> points = reader.read(reader.list("points", true), fields -> {
            SutChoice.Named sut = named(fields);
            BigDecimal size = fields.required("size", ProfileReader::size);
            return fields.make(() -> new Point(requireNonNull(sut), requireNonNull(size)));
        });
        return reader.make(() -> new ProfileSettings.Scalability(points));
    }

    /** Reads the instance of a point, which must be named: a selection could choose an instance of another size. */
    private static SutChoice.@Nullable Named named(NodeReader fields) {
        YamlNode select = fields.has("select") ? fields.optional("select") : null;
        if (select != null) {
            fields.mistake(select, "cannot be in a point: its size is that of one instance, so name the instance");
            fields.optional("instance");
            fields.optional("labels");
            return null;
        }
        return fields.required("instance", SutChoice.Named::new);
    }

    private static BigDecimal size(String text) {
        String message = "is no size; write a number above 0";
        BigDecimal size = NumberText.parse(text, message);
        if (size.signum() <= 0) {
            throw new IllegalArgumentException(message);
        }
        return size;
    }

    private @Nullable ProfileSettings regression() {
        SutChoice before = SutReader.readEither(reader, "old");
        SutChoice after = SutReader.readEither(reader, "new");
        int rounds = reader.optional("rounds", NumberText::parseInt, 1);
        Compare compare = reader.optional("compare", text -> PlanReader.known(Compare.values(), text),
                Compare.CAPACITY);
        Ratio worseBy = reader.optional("worseBy", Ratio::parse, new Ratio(new BigDecimal("0.05")));
        ProfileSettings.Load sameLoad = reader.optionalObject("load", fields -> load(fields, REGRESSION_HOLD));
        return reader.make(() -> new ProfileSettings.Regression(requireNonNull(before), requireNonNull(after), rounds,
                compare, worseBy, sameLoad));
    }

    /** Returns the first instance that the settings of a series name, for the plan's SUT; null for other profiles. */
    static @Nullable SutChoice firstSut(@Nullable ProfileSettings settings) {
        return switch (settings) {
            case ProfileSettings.Scalability scalability -> scalability.points().getFirst().sut();
            case ProfileSettings.Regression regression -> regression.before();
            case null, default -> null;
        };
    }

    private static Duration duration(NodeReader section, String name, Duration usual) {
        return section.optional(name, ProfileReader::wholeSeconds, usual);
    }

    private static Duration wholeSeconds(String text) {
        Duration duration = DurationText.parse(text);
        if (duration.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("is shorter than 1s");
        }
        return duration;
    }

    /** Reads the load of a section; null when it has none, or when it has mistakes. */
    private static @Nullable LoadTarget target(NodeReader section) {
        List<LoadTarget> targets = section.optional(LoadTarget.Kind.values(), LoadTarget.Kind::field,
                LoadTarget::parse);
        if (targets.size() > 1) {
            section.mistake("may have one of target, share, capacity and factor");
        }
        return targets.isEmpty() ? null : targets.getLast();
    }

    private static LoadTarget target(NodeReader section, LoadTarget.Kind kind, String usual) {
        LoadTarget target = target(section);
        return target == null ? LoadTarget.parse(kind, usual) : target;
    }
}
