// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract.document;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A value of a document that still knows where it stood. Lines and columns are 1-based. */
public sealed interface YamlNode {

    Location location();

    /** Returns the JSON path. Each call builds it anew, because a document has many values and few mistakes. */
    default String path() {
        return location().path();
    }

    default int line() {
        return location().line();
    }

    default int column() {
        return location().column();
    }

    /** Returns the kind of value as text, for messages. */
    String kind();

    /** Returns the value at a path, which may be this one or one within it. */
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
    record Fields(Location location, Map<String, Field> fields) implements YamlNode {

        @Override
        public String kind() {
            return "an object";
        }
    }

    /** Items in the order of the text. */
    record Items(Location location, List<YamlNode> items) implements YamlNode {

        @Override
        public String kind() {
            return "a list";
        }
    }

    /** Text, a number or a truth value, as it was written. */
    record Scalar(Location location, String text) implements YamlNode {

        @Override
        public String kind() {
            return "a single value";
        }
    }

    /** A field without a value. */
    record Nothing(Location location) implements YamlNode {

        @Override
        public String kind() {
            return "nothing";
        }
    }

    /** A field's value, and where its name stood. */
    record Field(int line, int column, YamlNode value) {}

    /**
     * The place of a value. It refers to the value around it: its whole path would be as long as all names above it.
     *
     * @param parent of the value around it, null of the document
     * @param step from there, as paths have it: {@code .name} or {@code [2]}, {@code $} of the document
     * @param line 1-based
     * @param column 1-based
     */
    record Location(@Nullable Location parent, String step, int line, int column) {

        /** Returns the location of a field of the object that stands here. */
        Location field(String name, int line, int column) {
            return new Location(this, "." + name, line, column);
        }

        String path() {
            Deque<String> steps = new ArrayDeque<>();
            for (Location at = this; at != null; at = at.parent) {
                steps.addFirst(at.step);
            }
            return String.join("", steps);
        }
    }
}
