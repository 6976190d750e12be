// SPDX-License-Identifier: Apache-2.0
package io.redliner.contract;

import java.util.regex.Pattern;

/**
 * The names that one installation has on a Kafka cluster. All start with its prefix, so that installations with different
 * prefixes share a cluster: none of them reads, or joins, what belongs to another one.
 *
 * @param prefix the setting {@code redliner.kafka.topic-prefix}, such as {@code redliner.}; 1 to {@value #MAX_PREFIX} of
 *            Kafka's characters for topics
 */
public record TopicNames(String prefix) {

    /** The prefix of an installation that sets none. */
    public static final String DEFAULT_PREFIX = "redliner.";

    /** Kafka allows 249 characters in all; the longest name after the prefix is that of the analyzer's changelog. */
    static final int MAX_PREFIX = 200;

    private static final Pattern LEGAL = Pattern.compile("[a-zA-Z0-9._-]{1," + MAX_PREFIX + "}");

    /** The names of an installation that sets no prefix. */
    public static final TopicNames DEFAULT = new TopicNames(DEFAULT_PREFIX);

    /** @throws IllegalArgumentException when Kafka would refuse topics with this prefix */
    public TopicNames {
        if (!LEGAL.matcher(prefix).matches()) {
            throw new IllegalArgumentException("redliner.kafka.topic-prefix is \"" + prefix
                    + "\"; set it to 1 to " + MAX_PREFIX
                    + " characters out of a-z, A-Z, 0-9, '.', '_' and '-', such as \"" + DEFAULT_PREFIX + "\"");
        }
    }

    /** Returns the name of a topic on the broker. */
    public String name(Topic topic) {
        return prefix + topic.suffix();
    }

    /**
     * Returns the consumer group, application id or client id of this installation.
     *
     * @param id as it is with the default prefix, such as {@code redliner-analyzer}
     * @return the id with the default prefix, so that ids of earlier versions stay; else the prefix and the id
     */
    public String id(String id) {
        return prefix.equals(DEFAULT_PREFIX) ? id : prefix + id;
    }
}
