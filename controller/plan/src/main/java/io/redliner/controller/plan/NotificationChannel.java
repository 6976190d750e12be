// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.plan;

import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The receiver of notifications. A web address may be a secret as a whole, as Slack's are. Only the plan's text contains it, so
 * {@link Object#toString()} of a receiver shows the host alone.
 */
public sealed interface NotificationChannel {

    /** Number of hexadecimal digits of an address's SHA-256 in {@link #shown()}. */
    int SHOWN_DIGITS = 6;

    /** Returns the receiver's name for logs and pages, which contains no secret. */
    String shown();

    /** A receiver from the controller's settings, by name: its address and its secret stay out of plans. */
    record Named(String name) implements NotificationChannel {

        /** @throws IllegalArgumentException when it is not a valid name */
        public Named {
            requireName(name);
        }

        @Override
        public String shown() {
            return name;
        }
    }

    /**
     * An address that messages are posted to as JSON, in the form of Standard Webhooks.
     *
     * @param secret name of the secret in the controller's settings that signs the messages; absent: they are not signed
     */
    record Webhook(URI url, @Nullable String secret) implements NotificationChannel {

        /** @throws IllegalArgumentException when the address or the name is not valid */
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

    /** The address of a Slack incoming webhook. */
    record Slack(URI url) implements NotificationChannel {

        /** @throws IllegalArgumentException when it is not a valid address */
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

    /** 1 to 20 mail addresses. */
    record Email(List<String> addresses) implements NotificationChannel {

        private static final int MAX_ADDRESSES = 20;

        private static final Pattern ADDRESS = Pattern
                .compile("[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
                        + "@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?");

        /** @throws IllegalArgumentException when an address is not valid or repeated, or their number is not 1 to 20 */
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
         * Returns the address if it has the common form of RFC 5322, without quotes, comments and line breaks.
         *
         * @throws IllegalArgumentException when it does not
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
     * Returns host, port and the first digits of a SHA-256. The digits distinguish two paths without showing them, since they may
     * be secret.
     */
    private static String shown(URI url) {
        String port = url.getPort() < 0 ? "" : ":" + url.getPort();
        return url.getHost() + port + " #" + Sha256.hex(url.toString()).substring(0, SHOWN_DIGITS);
    }

    /**
     * Returns the address if it is valid.
     *
     * @throws IllegalArgumentException when it is no absolute http or https address with a host, or contains a user; the message
     *            does not repeat it
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
     * Returns the name if it is valid.
     *
     * @throws IllegalArgumentException when it is not
     */
    static String requireName(String name) {
        return Plan.requireName(name);
    }
}
