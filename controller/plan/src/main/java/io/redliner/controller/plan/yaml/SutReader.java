// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Select;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the choice of the instance under test: {@code {instance: host:port}} or {@code {select: ..., labels:
 * {...}}}.
 */
final class SutReader {

    private static final Set<String> SELECTS = Set.of("previous", "newest");

    private SutReader() {}

    /** Reads the section {@code sut}; null when it is absent or has mistakes, which are added to the errors. */
    static @Nullable SutChoice read(@Nullable NodeReader sut, ValidationErrors errors) {
        if (sut == null) {
            return null;
        }
        if (!sut.has("select")) {
            return named(sut, errors);
        }
        int before = errors.size();
        YamlNode instance = sut.optional("instance");
        if (instance != null) {
            errors.add(instance, "is named and selected; write one of instance and select");
        }
        Select select = sut.required("select", text -> PlanReader.known(Select.values(), text));
        Map<Label, String> labels = labels(sut.optionalObject("labels"));
        sut.rejectOthers();
        if (select == null || errors.size() > before) {
            return null;
        }
        try {
            return new SutChoice.Selected(select, labels);
        } catch (IllegalArgumentException invalid) {
            errors.add(sut.object(), "'" + PlanReader.written(select) + "' " + invalid.getMessage());
            return null;
        }
    }

    /** Returns the name of an instance or what {@link #read} takes. */
    static @Nullable SutChoice readEither(NodeReader section, String name, ValidationErrors errors) {
        YamlNode value = section.required(name);
        return switch (value) {
            case null -> null;
            case YamlNode.Fields fields -> read(NodeReader.of(fields, errors), errors);
            default -> section.convert(value, SutChoice.Named::new);
        };
    }

    private static @Nullable SutChoice named(NodeReader sut, ValidationErrors errors) {
        SutChoice choice = sut.required("instance", SutChoice.Named::new);
        sut.optional("select");
        YamlNode labels = sut.optional("labels");
        sut.rejectOthers();
        if (labels != null) {
            errors.add(labels, "is only for an instance that is selected; write select: label beside it");
            return null;
        }
        return choice;
    }

    private static Map<Label, String> labels(@Nullable NodeReader fields) {
        Map<Label, String> labels = new EnumMap<>(Label.class);
        if (fields == null) {
            return labels;
        }
        for (Label label : Label.values()) {
            String value = fields.optionalIfAny(label.field(), text -> value(label, text));
            if (value != null) {
                labels.put(label, value);
            }
        }
        fields.rejectOthers();
        return labels;
    }

    /** Rejects the versions {@code previous} and {@code newest}: no instance has them, and the plan means {@code select}. */
    private static String value(Label label, String text) {
        if (label == Label.VERSION && SELECTS.contains(text)) {
            throw new IllegalArgumentException("is no version; write select: " + text);
        }
        return SutChoice.requireLabelValue(text);
    }

    static Map<String, Object> content(SutChoice choice) {
        return switch (choice) {
            case SutChoice.Named named -> Map.of("instance", named.instance());
            case SutChoice.Selected selected -> {
                Map<String, Object> content = new LinkedHashMap<>();
                content.put("select", PlanReader.written(selected.select()));
                if (!selected.labels().isEmpty()) {
                    Map<String, Object> labels = new LinkedHashMap<>();
                    selected.labels().forEach((label, value) -> labels.put(label.field(), value));
                    content.put("labels", labels);
                }
                yield content;
            }
        };
    }

    /** Returns the content that {@link #readEither} reads back: a named instance is its name alone. */
    static Object contentOrName(SutChoice choice) {
        return choice instanceof SutChoice.Named named ? named.instance() : content(choice);
    }
}
