// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import static java.util.Objects.requireNonNull;

import io.redliner.contract.document.NodeReader;
import io.redliner.contract.document.YamlNode;
import io.redliner.controller.plan.SutChoice;
import io.redliner.controller.plan.SutChoice.Label;
import io.redliner.controller.plan.SutChoice.Select;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the choice of the instance under test: {@code {instance: host:port}} or {@code {select: ..., labels:
 * {...}}}.
 */
final class SutReader {

    private static final Set<String> SELECTS = Set.of("previous", "newest");

    private SutReader() {}

    /** Reads the section {@code sut}; null when it has mistakes. */
    static @Nullable SutChoice read(NodeReader sut) {
        if (!sut.has("select")) {
            return named(sut);
        }
        YamlNode instance = sut.optional("instance");
        if (instance != null) {
            sut.mistake(instance, "is named and selected; write one of instance and select");
        }
        Select select = sut.required("select", text -> PlanReader.known(Select.values(), text));
        List<Map.Entry<Label, String>> labels = sut.object("labels").optional(Label.values(), Label::field,
                (label, text) -> Map.entry(label, value(label, text)));
        return sut.make(() -> new SutChoice.Selected(requireNonNull(select),
                labels.stream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue))));
    }

    /** Returns the name of an instance or what {@link #read} takes. */
    static @Nullable SutChoice readEither(NodeReader section, String name) {
        YamlNode value = section.required(name);
        return switch (value) {
            case null -> null;
            case YamlNode.Fields fields -> read(section.object(fields));
            default -> section.convert(value, SutChoice.Named::new);
        };
    }

    private static @Nullable SutChoice named(NodeReader sut) {
        SutChoice choice = sut.required("instance", SutChoice.Named::new);
        sut.optional("select");
        YamlNode labels = sut.optional("labels");
        if (labels != null) {
            sut.mistake(labels, "is only for an instance that is selected; write select: label beside it");
        }
        return choice;
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
                Map<String, Object> labels = new LinkedHashMap<>();
                selected.labels().forEach((label, value) -> labels.put(label.field(), value));
                yield PlanWriter.content("select", selected.select(), "labels", labels.isEmpty() ? null : labels);
            }
        };
    }

    /** Returns the content that {@link #readEither} reads back: a named instance is its name alone. */
    static Object contentOrName(SutChoice choice) {
        return choice instanceof SutChoice.Named named ? named.instance() : content(choice);
    }
}
