// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.LoadTarget;
import io.redliner.controller.plan.NumberText;
import io.redliner.controller.plan.ProfileSettings;
import io.redliner.controller.plan.ProfileSettings.Regression.Compare;
import io.redliner.controller.plan.Ratio;
import io.redliner.controller.plan.SutChoice;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads the settings of the profiles that consist of several runs. */
final class SeriesReader {

    private static final Duration HOLD = Duration.ofMinutes(1);

    private SeriesReader() {}

    static Supplier<@Nullable ProfileSettings> scalability(NodeReader section, ValidationErrors errors) {
        List<ProfileSettings.Scalability.Point> points = new ArrayList<>();
        for (YamlNode entry : section.list("points", true)) {
            NodeReader fields = NodeReader.of(entry, errors);
            SutChoice.Named sut = named(fields, errors);
            BigDecimal size = fields.required("size", SeriesReader::size);
            fields.rejectOthers();
            if (sut != null && size != null) {
                points.add(new ProfileSettings.Scalability.Point(sut, size));
            }
        }
        return () -> new ProfileSettings.Scalability(points);
    }

    /** Returns the first instance that the settings of a series name, for the plan's SUT; null for other profiles. */
    static @Nullable SutChoice first(@Nullable ProfileSettings settings) {
        return switch (settings) {
            case ProfileSettings.Scalability scalability -> scalability.points().getFirst().sut();
            case ProfileSettings.Regression regression -> regression.before();
            case null, default -> null;
        };
    }

    /** Reads the instance of a point, which must be named: a selection could choose an instance of another size. */
    private static SutChoice.@Nullable Named named(NodeReader fields, ValidationErrors errors) {
        YamlNode select = fields.has("select") ? fields.optional("select") : null;
        if (select != null) {
            errors.add(select, "cannot be in a point: its size is that of one instance, so name the instance");
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

    static Supplier<@Nullable ProfileSettings> regression(NodeReader section, ValidationErrors errors) {
        SutChoice before = SutReader.readEither(section, "old", errors);
        SutChoice after = SutReader.readEither(section, "new", errors);
        int rounds = section.optional("rounds", NumberText::parseInt, 1);
        Compare compare = section.optional("compare", text -> PlanReader.known(Compare.values(), text),
                Compare.CAPACITY);
        Ratio worseBy = section.optional("worseBy", Ratio::parse, new Ratio(new BigDecimal("0.05")));
        NodeReader load = section.optionalObject("load");
        ProfileSettings.Load sameLoad = load == null ? null : load(load, errors);
        return () -> before == null || after == null
                ? null
                : new ProfileSettings.Regression(before, after, rounds, compare, worseBy, sameLoad);
    }

    private static ProfileSettings.@Nullable Load load(NodeReader load, ValidationErrors errors) {
        LoadTarget target = ProfileReader.required(load, errors);
        Duration ramp = ProfileReader.duration(load, "ramp", ProfileReader.RAMP);
        Duration hold = ProfileReader.duration(load, "hold", HOLD);
        load.rejectOthers();
        return target == null ? null : new ProfileSettings.Load(target, ramp, hold);
    }
}
