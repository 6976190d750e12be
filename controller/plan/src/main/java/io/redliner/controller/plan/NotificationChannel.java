// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of notifications. A web address as a whole may be a secret (Slack's are). It is written in the plan's own text
 * and nowhere else, so {@link Object#toString()} of a receiver has the host alone.
 */
public sealed interface NotificationChannel {

    /** Digits of an address's SHA-256 that {@link #shown()} has, in hexadecimal. */
    int SHOWN_DIGITS = 6;

    /** The receiver's name for logs and pages; it has no secret in it. */
    String shown();

    /** One that the controller's settings know by name: address and secret stay out of plans. */
    record Named(String name) implements NotificationChannel {

        /** @throws IllegalArgumentException when it is no name */
        public Named {
            requireName(name);
        }

        @Override
        public String shown() {
            return name;
        }
    }

    /**
     * An address that takes signed JSON.
     *
     * @param secret name of the secret in the controller's settings that messages are signed with; absent: not signed
     */
    record Webhook(URI url, @Nullable String secret) implements NotificationChannel {

        /** @throws IllegalArgumentException when the address or the name is none */
        public Webhook {
            requireUrl(url);
            if (secret != null) {
                requireName(secret);
            }
        }

        @Override
        public String shown() {
            return NotificationChannel.shown(url);
        }

        @Override
        public String toString() {
            return "Webhook[" + shown() + "]";
        }
    }

    /** An address that takes Slack's messages. */
    record Slack(URI url) implements NotificationChannel {

        /** @throws IllegalArgumentException when it is no address */
        public Slack {
            requireUrl(url);
        }

        @Override
        public String shown() {
            return NotificationChannel.shown(url);
        }

        @Override
        public String toString() {
            return "Slack[" + shown() + "]";
        }
    }

    /** People who read mail; 1 to 20 of them. */
    record Email(List<String> addresses) implements NotificationChannel {

        private static final int MAX_ADDRESSES = 20;

        private static final Pattern ADDRESS = Pattern
                .compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                        + "@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

        /** @throws IllegalArgumentException when one is no address or twice there, or there are none or too many */
        public Email {
            if (addresses.isEmpty() || addresses.size() > MAX_ADDRESSES) {
                throw new IllegalArgumentException("must have 1 to " + MAX_ADDRESSES + " addresses");
            }
            addresses = List.copyOf(addresses);
            addresses.forEach(Email::requireAddress);
            if (new HashSet<>(addresses).size() < addresses.size()) {
                throw new IllegalArgumentException("has an address twice");
            }
        }

        /**
         * The address itself: the common form of RFC 5322 without quotes, comments and line breaks.
         *
         * @throws IllegalArgumentException when it is none
         */
        public static String requireAddress(String address) {
            if (address.length() > 254 || !ADDRESS.matcher(address).matches()) {
                throw new IllegalArgumentException("is no e-mail address");
            }
            return address;
        }

        @Override
        public String shown() {
            return String.join(", ", addresses);
        }
    }

    /**
     * Host, port and the first digits of a SHA-256: two paths differ in them, and a path, which may be secret, is not
     * shown.
     */
    private static String shown(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getHost() + port + " #" + Sha256.hex(url.toString()).substring(0, SHOWN_DIGITS);
    }

    /**
     * The address itself. The message never repeats it.
     *
     * @throws IllegalArgumentException when it is no absolute http or https address with a host, or has a user in it
     */
    static URI requireUrl(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        if ((!scheme.equals("http") && !scheme.equals("https")) || url.getHost() == null) {
            throw new IllegalArgumentException("is no address; write it as https://host/path");
        }
        if (url.getRawUserInfo() != null || url.getRawFragment() != null) {
            throw new IllegalArgumentException("must have neither a user nor a fragment in it");
        }
        return url;
    }

    /**
     * The name itself.
     *
     * @throws IllegalArgumentException when it is none
     */
    static String requireName(String name) {
        return Plan.requireName(name);
    }
}
