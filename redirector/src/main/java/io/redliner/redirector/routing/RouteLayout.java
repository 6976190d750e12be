// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import io.redliner.contract.redirect.Redirect;
import io.redliner.contract.redirect.RedirectMode;
import io.redliner.contract.redirect.Share;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The layout of a service's clusters and route. It follows from the newest lease, the services and the time alone, so every
 * redirector comes to the same one. A layout moves no traffic: until a share is in force, all of it goes to the whole fleet.
 */
public sealed interface RouteLayout {

    /** One cluster with all instances. */
    record SingleCluster() implements RouteLayout {}

    /**
     * The fleet's cluster, and the clusters that a share can move traffic to.
     *
     * @param sut the instance under test
     * @param rotation where the SUT's users begin on the circle of all users, in ppm; 0 for modes that are not sticky
     * @param pointed the SUT's share in the endpoint weights, the natural one when no lease is in force; 0 in other modes
     */
    record SplitClusters(HostPort sut, Redirect redirect, int rotation, Share pointed) implements RouteLayout {

        /**
         * Returns the layout for a run.
         *
         * @param inForce the share of its lease; empty when it has no lease in force
         */
        public static SplitClusters of(Service service, Instance sut, Redirect redirect, String runId,
                Optional<Share> inForce) {
            RedirectMode mode = redirect.mode();
            return new SplitClusters(sut.address(), redirect, mode.sticky() ? RouteLayout.rotation(runId) : 0,
                    mode == RedirectMode.ENDPOINT_WEIGHT
                            ? inForce.orElseGet(() -> service.naturalShare(sut))
                            : new Share(0));
        }

        /** Returns whether both are the same test, whatever their shares. */
        public boolean sameTest(SplitClusters other) {
            return sut.equals(other.sut) && redirect.equals(other.redirect) && rotation == other.rotation;
        }
    }

    /**
     * Returns the place where a run's users begin on the circle of all users: uniform over all runs, and fixed for one run.
     *
     * @return 0 to 999 999 ppm
     */
    static int rotation(String runId) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(runId.getBytes(StandardCharsets.UTF_8));
            return (int) Long.remainderUnsigned(ByteBuffer.wrap(digest).getLong(), Share.WHOLE_PPM);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
