// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.service;

import java.util.regex.Pattern;

/** How much of a service's proxy configuration comes from here. */
public sealed interface Integration {

    /**
     * Listeners, routes, clusters, endpoints and shares.
     *
     * @param listen where the proxies take the service's traffic
     */
    record Everything(Address listen) implements Integration {}

    /** Routes, clusters, endpoints and shares; listeners of the owner's name the service's route configuration. */
    record Routes() implements Integration {}

    /**
     * Shares only: weights of two clusters in a weighted route of the owner's, through its {@code runtime_key_prefix}.
     *
     * @param keyPrefix the route's {@code runtime_key_prefix}
     * @param sut the one instance that can be tested
     * @param sutCluster the owner's cluster of just that instance
     * @param peersCluster the owner's cluster of all others
     * @param selection how the owner's route chooses between the two
     */
    record SharesOnly(String keyPrefix, Address sut, String sutCluster, String peersCluster,
            Selection selection) implements Integration {

        private static final Pattern KEY = Pattern.compile("\\S{1,200}");

        public SharesOnly {
            for (String text : new String[]{keyPrefix, sutCluster, peersCluster}) {
                if (!KEY.matcher(text).matches()) {
                    throw new IllegalArgumentException("'" + text
                            + "' cannot be part of a runtime key: 1 to 200 characters without white space");
                }
            }
            if (sutCluster.equals(peersCluster)) {
                throw new IllegalArgumentException(
                        "the SUT and its peers need two clusters, not one '" + sutCluster + "'");
            }
        }
    }

    /** How a route of the owner's chooses a cluster. */
    enum Selection {
        /** At random, request by request. */
        SPLIT,
        /** By the integer in {@code header_name}. */
        MODULO,
        /** By {@code use_hash_policy}. */
        HASH
    }
}
