// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.discovery;

import io.redliner.redirector.routing.HostPort;
import io.redliner.redirector.routing.Instance;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The place where the instances of a service are found. */
public sealed interface EndpointSource {

    /** Two or more instances that are listed in the services file. */
    record Listed(List<Instance> instances) implements EndpointSource {

        public Listed {
            instances = List.copyOf(instances);
            if (instances.size() < 2) {
                throw new IllegalArgumentException("needs at least two instances: one to test and one to compare with");
            }
        }
    }

    /**
     * The A and AAAA records of a name.
     *
     * @param name the full name; no search path is tried
     * @param port that all instances listen on, 1 to 65535
     * @param every time from an answer to the next query, above zero
     * @param server that is queried; empty for the servers in the configuration of this machine
     */
    record Dns(String name, int port, Duration every, Optional<HostPort> server) implements EndpointSource {

        private static final Pattern NAME = Pattern
                .compile("(?=.{1,254}$)[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,62})(?:\\.[A-Za-z0-9_][A-Za-z0-9_-]{0,62})*\\.?");

        public Dns {
            checkName(name);
            checkPort(port);
            if (every.isZero() || every.isNegative()) {
                throw new IllegalArgumentException("the time between two questions must be above zero");
            }
        }

        /**
         * Checks a name.
         *
         * @throws IllegalArgumentException when the DNS cannot have it
         */
        public static void checkName(String name) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException("'" + name + "' is not a DNS name like search.example.com");
            }
        }
    }

    /** The endpoint slices of a Kubernetes service. */
    record Kubernetes(String namespace, String service, Port port) implements EndpointSource {

        private static final Pattern LABEL = Pattern.compile("[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?");

        public Kubernetes {
            checkLabel(namespace);
            checkLabel(service);
        }

        /**
         * Checks the name of a namespace or service.
         *
         * @throws IllegalArgumentException when Kubernetes cannot have it
         */
        public static void checkLabel(String name) {
            if (!LABEL.matcher(name).matches()) {
                throw new IllegalArgumentException("'" + name
                        + "' is not a Kubernetes name: a-z, 0-9 and - only, at most 63 characters");
            }
        }
    }

    /** The port of an endpoint, by name or number. */
    sealed interface Port {

        /** The port with this name. */
        record Named(String name) implements Port {

            public Named {
                Kubernetes.checkLabel(name);
            }

            @Override
            public String toString() {
                return name;
            }
        }

        /** The container's port, not the Kubernetes service's. 1 to 65535. */
        record Numbered(int number) implements Port {

            public Numbered {
                checkPort(number);
            }

            @Override
            public String toString() {
                return String.valueOf(number);
            }
        }

        /**
         * Reads a name or a number.
         *
         * @throws IllegalArgumentException when it is neither
         */
        static Port parse(String text) {
            return text.matches("[0-9]{1,9}") ? new Numbered(Integer.parseInt(text)) : new Named(text);
        }
    }

    /**
     * Checks a port.
     *
     * @throws IllegalArgumentException when it is not 1 to 65535
     */
    static void checkPort(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port " + port + " is outside 1 to 65535");
        }
    }
}
