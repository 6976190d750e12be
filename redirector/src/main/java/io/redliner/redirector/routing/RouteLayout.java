// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.routing;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * How a service's clusters and route are laid out. It follows from the newest lease, the services and the time alone, so
 * every redirector comes to the same one. Laying out moves no traffic: until a share is in force, all of it goes to the whole fleet.
 */
public sealed interface RouteLayout {

    /** One cluster with all instances. */
    record SingleCluster() implements RouteLayout {}

    /**
     * Beside the fleet's cluster there are those that a share can move traffic to.
     *
     * @param sut the instance under test
     * @param rotation where the SUT's users begin in the circle of all users, in ppm; for sticky modes
     * @param pointed the share that endpoint weights show; natural when no lease is in force
     */
    record SplitClusters(HostPort sut, Redirect redirect, int rotation, Share pointed) implements RouteLayout {

        /**
         * For a run.
         *
         * @param inForce the share that it holds; empty when it holds none
         */
        public static SplitClusters of(Service service, Instance sut, Redirect redirect, String runId,
                Optional<Share> inForce) {
            Redirect.Mode mode = redirect.mode();
            return new SplitClusters(sut.address(), redirect, mode.sticky() ? RouteLayout.rotation(runId) : 0,
                    mode == Redirect.Mode.ENDPOINT_WEIGHT
                            ? inForce.orElseGet(() -> Share.natural(service, sut))
                            : new Share(0));
        }

        /** Whether this is the same test, at whatever share. */
        public boolean sameTest(SplitClusters other) {
            return sut.equals(other.sut) && redirect.equals(other.redirect) && rotation == other.rotation;
        }
    }

    /**
     * Where a run's users begin: anywhere, evenly over all runs, and always there in one run.
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
