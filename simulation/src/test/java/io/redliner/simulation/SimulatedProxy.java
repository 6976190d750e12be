// SPDX-License-Identifier: Apache-2.0
package io.redliner.simulation;

import org.jspecify.annotations.Nullable;

/** A proxy of the service: the configured share is in force until its time to live is over. */
final class SimulatedProxy {

    /**
     * Names the lease of a share.
     *
     * @param forged absent when a controller wrote the lease
     */
    record LeaseTag(long epoch, long sequence, @Nullable Forged forged) {}

    /**
     * A lease that no controller wrote.
     *
     * @param at when it was written, ms
     * @param opens whether the redirector obeyed no controller's lease of its epoch before
     */
    record Forged(long at, boolean opens) {

        static Forged after(@Nullable LeaseTag obeyed, long epoch, long at) {
            return new Forged(at, obeyed == null || obeyed.epoch() != epoch
                    || (obeyed.forged() != null && obeyed.forged().opens()));
        }
    }

    /**
     * A share other than the route's own.
     *
     * @param until ms; the proxy drops it then, whichever processes live
     */
    private record ShareOverride(int ppm, LeaseTag lease, long until, String version) {}

    private final VirtualTime time;

    final String node;

    private final int natural;

    @Nullable
    private ShareOverride override;

    /** Says yes and does nothing. */
    boolean lies;

    /** Applies a configuration and does not acknowledge it. */
    boolean silent;

    /** Says no to shares. */
    boolean refuses;

    SimulatedProxy(VirtualTime time, String node, int natural) {
        this.time = time;
        this.node = node;
        this.natural = natural;
    }

    /** @param ttl ms */
    void override(int ppm, LeaseTag lease, long ttl, String version) {
        if (!lies) {
            override = new ShareOverride(ppm, lease, time.now() + ttl, version);
            // So that the drop is an event.
            time.after(ttl, () -> {});
        }
    }

    void natural() {
        if (!lies) {
            override = null;
        }
    }

    /** Of the traffic that it passes on. */
    int share() {
        ShareOverride held = held();
        return held == null ? natural : held.ppm();
    }

    /** Of which lease its share is; absent when it is the route's own. */
    @Nullable
    LeaseTag lease() {
        ShareOverride held = held();
        return held == null ? null : held.lease();
    }

    /** Of the share that it has; empty without one. */
    String version() {
        ShareOverride held = held();
        return held == null ? "" : held.version();
    }

    private @Nullable ShareOverride held() {
        ShareOverride known = override;
        return known != null && known.until() > time.now() ? known : null;
    }
}
