// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.DurationText;
import io.redliner.controller.plan.Factor;
import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.PlanLimits;
import io.redliner.controller.plan.Profile;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.Ratio;
import io.redliner.sla.Rule;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the section of a plan that is named after its profile. */
final class ProfileReader {

    static final Duration RAMP = Duration.ofSeconds(30);

    private static final Duration SMOKE = Duration.ofSeconds(30);

    private static final Duration RECHECK = Duration.ofSeconds(40);

    private static final Duration HOLD = Duration.ofMinutes(2);

    private static final Duration RECOVERY = Duration.ofMinutes(2);

    private static final Duration DWELL = Duration.ofSeconds(15);

    private static final Duration MIN_ENDURANCE = Duration.ofMinutes(5);

    private final PlanLimits limits;

    private final RuleReader rules;

    private final ValidationErrors errors;

    private ProfileReader(PlanLimits limits, RuleReader rules, ValidationErrors errors) {
        this.limits = limits;
        this.rules = rules;
        this.errors = errors;
    }

    /**
     * Reads the settings; null when the profile has none, or when they have mistakes, which are added to the errors.
     *
     * @param limits absent when the plan's limits have mistakes
     */
    static @Nullable ProfileSettings read(NodeReader spec, Profile profile, @Nullable PlanLimits limits,
            RuleReader rules, ValidationErrors errors) {
        NodeReader chosen = null;
        for (Profile one : Profile.values()) {
            String name = PlanReader.written(one);
            YamlNode section = spec.object().fields().containsKey(name) ? spec.optional(name) : null;
            boolean plain = one == Profile.CAPACITY || one == Profile.BOTTLENECK;
            if (section != null && plain) {
                errors.add(section, "profile " + name + " has no settings");
            } else if (section != null && one != profile) {
                errors.add(section, "is only for profile " + name + ", and this plan has profile "
                        + PlanReader.written(profile));
            } else if (one == profile && !plain) {
                chosen = section == null ? nothing(spec, name, errors) : NodeReader.of(section, errors);
            }
        }
        return chosen == null
                ? null
                : new ProfileReader(limits == null ? PlanLimits.DEFAULT : limits, rules, errors)
                        .read(profile, chosen);
    }

    private static NodeReader nothing(NodeReader spec, String name, ValidationErrors errors) {
        YamlNode.Fields object = spec.object();
        return NodeReader.of(
                new YamlNode.Fields(object.location().field(name, object.line(), object.column()), Map.of()), errors);
    }

    private @Nullable ProfileSettings read(Profile profile, NodeReader section) {
        int before = errors.size();
        Supplier<@Nullable ProfileSettings> maker = switch (profile) {
            case SMOKE -> smoke(section);
            case LOAD -> load(section);
            case BREAKPOINT -> breakpoint(section);
            case STRESS -> stress(section);
            case SPIKE -> spike(section);
            case ENDURANCE -> endurance(section);
            case RECHECK -> recheck(section);
            case SCALABILITY -> SeriesReader.scalability(section, errors);
            case REGRESSION -> SeriesReader.regression(section, errors);
            case CAPACITY, BOTTLENECK -> () -> null;
        };
        section.rejectOthers();
        return errors.size() > before ? null : checked(section, maker);
    }

    private @Nullable ProfileSettings checked(NodeReader section, Supplier<@Nullable ProfileSettings> maker) {
        try {
            ProfileSettings settings = maker.get();
            if (settings != null && settings.takes().compareTo(limits.maxDuration()) > 0) {
                errors.add(section.object(), "takes " + DurationText.write(settings.takes())
                        + " with its baseline, and limits.maxDuration is "
                        + DurationText.write(limits.maxDuration()));
                return null;
            }
            return settings;
        } catch (IllegalArgumentException invalid) {
            errors.add(section.object(), String.valueOf(invalid.getMessage()));
            return null;
        }
    }

    private Supplier<@Nullable ProfileSettings> smoke(NodeReader section) {
        LoadTarget target = target(section, errors);
        Duration hold = duration(section, "hold", SMOKE);
        return () -> new ProfileSettings.Smoke(target, hold);
    }

    private Supplier<@Nullable ProfileSettings> load(NodeReader section) {
        LoadTarget target = required(section, errors);
        Duration ramp = duration(section, "ramp", RAMP);
        Duration hold = duration(section, "hold", HOLD);
        return () -> target == null ? null : new ProfileSettings.Load(target, ramp, hold);
    }

    private Supplier<@Nullable ProfileSettings> breakpoint(NodeReader section) {
        Factor step = section.optional("step", Factor::parse, new Factor(new BigDecimal("1.25")));
        Duration dwell = duration(section, "dwell", DWELL);
        List<Rule> until = rules.readConditions(section.list("until", true));
        if (step.value().compareTo(limits.maxRaise().value()) > 0) {
            errors.add(section.object(), "a step of " + step + " is more than limits.maxRaise, "
                    + limits.maxRaise());
        }
        return () -> new ProfileSettings.Breakpoint(step, dwell, until);
    }

    private Supplier<@Nullable ProfileSettings> stress(NodeReader section) {
        LoadTarget target = otherwise(target(section, errors), LoadTarget.Kind.CAPACITY, "120%");
        Duration ramp = duration(section, "ramp", RAMP);
        Duration hold = duration(section, "hold", Duration.ofSeconds(30));
        Duration recovery = duration(section, "recovery", RECOVERY);
        return () -> new ProfileSettings.Stress(target, ramp, hold, recovery);
    }

    private Supplier<@Nullable ProfileSettings> spike(NodeReader section) {
        LoadTarget target = otherwise(target(section, errors), LoadTarget.Kind.FACTOR, "2x");
        Duration hold = duration(section, "hold", Duration.ofSeconds(15));
        Duration recovery = duration(section, "recovery", RECOVERY);
        return () -> new ProfileSettings.Spike(target, hold, recovery);
    }

    private Supplier<@Nullable ProfileSettings> recheck(NodeReader section) {
        Duration hold = duration(section, "hold", RECHECK);
        Duration minHold = limits.window().multipliedBy(ProfileSettings.Recheck.MIN_WINDOWS);
        return () -> {
            ProfileSettings.Recheck recheck = new ProfileSettings.Recheck(hold);
            if (hold.compareTo(minHold) < 0) {
                throw new IllegalArgumentException("hold is at least " + ProfileSettings.Recheck.MIN_WINDOWS
                        + " windows of limits.window, " + DurationText.write(minHold));
            }
            return recheck;
        };
    }

    private Supplier<@Nullable ProfileSettings> endurance(NodeReader section) {
        LoadTarget target = otherwise(target(section, errors), LoadTarget.Kind.CAPACITY, "70%");
        Duration ramp = duration(section, "ramp", RAMP);
        Duration rest = limits.maxDuration().minus(ProfileSettings.OVERHEAD).minus(ramp);
        Duration hold = duration(section, "hold", rest.compareTo(MIN_ENDURANCE) < 0 ? MIN_ENDURANCE : rest);
        Ratio drift = section.optional("drift", Ratio::parse, new Ratio(new BigDecimal("0.1")));
        if (hold.compareTo(MIN_ENDURANCE) < 0) {
            errors.add(section.object(), "hold is at least " + DurationText.write(MIN_ENDURANCE)
                    + ": in less, drift cannot be distinguished from noise");
        }
        if (drift.value().signum() == 0) {
            errors.add(section.object(), "drift must be above 0");
        }
        return () -> new ProfileSettings.Endurance(target, ramp, hold, drift);
    }

    static Duration duration(NodeReader section, String name, Duration usual) {
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
    static @Nullable LoadTarget target(NodeReader section, ValidationErrors errors) {
        LoadTarget found = null;
        for (LoadTarget.Kind kind : LoadTarget.Kind.values()) {
            LoadTarget target = section.optionalIfAny(kind.field(), text -> LoadTarget.parse(kind, text));
            if (target != null && found != null) {
                errors.add(section.object(), "may have one of target, share, capacity and factor");
            }
            found = target == null ? found : target;
        }
        return found;
    }

    static @Nullable LoadTarget required(NodeReader section, ValidationErrors errors) {
        int before = errors.size();
        LoadTarget target = target(section, errors);
        if (target == null && errors.size() == before) {
            errors.add(section.object(),
                    "needs a load: target (requests/s), share, capacity (of the last known one) or factor");
        }
        return target;
    }

    private static LoadTarget otherwise(@Nullable LoadTarget target, LoadTarget.Kind kind, String usual) {
        return target == null ? LoadTarget.parse(kind, usual) : target;
    }
}
