// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import io.redliner.contract.address.InstanceAddress;
import io.redliner.contract.text.PlainText;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The choice of the instance under test: one that the plan names, or one that is selected when the run is started. */
public sealed interface SutChoice {

    /** In characters. */
    int MAX_LABEL_VALUE_LENGTH = 200;

    /**
     * Returns the value of a label, without spaces around it.
     *
     * @throws IllegalArgumentException when it is blank, too long or has control or format characters
     */
    static String requireLabelValue(String text) {
        if (text.isBlank() || text.length() > MAX_LABEL_VALUE_LENGTH || !PlainText.line(text)) {
            throw new IllegalArgumentException("must be one line of 1 to " + MAX_LABEL_VALUE_LENGTH + " characters");
        }
        return text.strip();
    }

    /**
     * The instance with this address.
     *
     * @param instance {@code host:port}, kept in its canonical form
     */
    record Named(String instance) implements SutChoice {

        private static final Pattern ADDRESS = Pattern
                .compile("(?:\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._-]{1,253}):\\d{1,5}");

        /** @throws IllegalArgumentException when it is no {@code host:port} */
        public Named {
            if (!ADDRESS.matcher(instance).matches()
                    || Integer.parseInt(instance.substring(instance.lastIndexOf(':') + 1)) > 65_535) {
                throw new IllegalArgumentException("is no instance; write it as host:port");
            }
            instance = InstanceAddress.canonical(instance);
        }
    }

    /**
     * One of the instances that the service has when the run starts.
     *
     * @param labels labels that it must have; empty for any instance
     */
    record Selected(Select select, Map<Label, String> labels) implements SutChoice {

        /** @throws IllegalArgumentException when way and labels do not go together */
        public Selected {
            Map<Label, String> copy = new EnumMap<>(Label.class);
            copy.putAll(labels);
            labels = Collections.unmodifiableMap(copy);
            if (select == Select.LABEL && labels.isEmpty()) {
                throw new IllegalArgumentException("'label' needs labels: at least one of " + Label.known());
            }
            if ((select == Select.NEWEST || select == Select.PREVIOUS) && labels.containsKey(Label.VERSION)) {
                throw new IllegalArgumentException("'" + select.name().toLowerCase(Locale.ROOT)
                        + "' says the version itself, so labels cannot have one");
            }
        }

        /** Returns the labels as text: {@code hardware c5.large and version 1.2}; empty without any. */
        public String describe() {
            return labels.entrySet()
                    .stream()
                    .map(label -> label.getKey().field() + " " + label.getValue())
                    .collect(Collectors.joining(" and "));
        }
    }

    /** The ways to choose. */
    enum Select {

        /** Any, each as likely as the other. */
        RANDOM,
        /** An instance with the version that was deployed last. */
        NEWEST,
        /** An instance with the version before the newest. */
        PREVIOUS,
        /** The one that was tested least recently of those that have the labels. */
        LABEL
    }

    /** The labels that an instance may have. */
    enum Label {

        VERSION("version"), HARDWARE("hardware"), FAILURE_DOMAIN("failureDomain");

        private final String field;

        Label(String field) {
            this.field = field;
        }

        /** Returns the field of a plan. */
        public String field() {
            return field;
        }

        static String known() {
            return Stream.of(values()).map(Label::field).collect(Collectors.joining(", "));
        }
    }
}
