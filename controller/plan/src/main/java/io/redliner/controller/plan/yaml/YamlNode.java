// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan.yaml;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A value of a document that still knows where it stood. Lines and columns are 1-based. */
public sealed interface YamlNode {

    String path();

    int line();

    int column();

    /** What it is, for messages. */
    String kind();

    /** What stands at a path, in here. */
    default Optional<YamlNode> find(String wanted) {
        return wanted.equals(path())
                ? Optional.of(this)
                : within().filter(one -> wanted.startsWith(one.path())).map(one -> one.find(wanted))
                        .flatMap(Optional::stream).findFirst();
    }

    private Stream<YamlNode> within() {
        return switch (this) {
            case Fields object -> object.fields().values().stream().map(Field::value);
            case Items list -> list.items().stream();
            case Scalar ignored -> Stream.empty();
            case Nothing ignored -> Stream.empty();
        };
    }

    /** Fields in the order of the text. */
    record Fields(String path, int line, int column, Map<String, Field> fields) implements YamlNode {

        @Override
        public String kind() {
            return "an object";
        }
    }

    /** Items in the order of the text. */
    record Items(String path, int line, int column, List<YamlNode> items) implements YamlNode {

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Text, a number or a truth value, as it was written. */
    record Scalar(String path, int line, int column, String text) implements YamlNode {

        @Override
        public String kind() {
            return "a single value";
        }
    }

    /** A field without a value. */
    record Nothing(String path, int line, int column) implements YamlNode {

        @Override
        public String kind() {
            return "nothing";
        }
    }

    /** A field's value, and where its name stood. */
    record Field(int line, int column, YamlNode value) {}
}
