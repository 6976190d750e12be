// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Address;
import io.redliner.redirector.service.Instance;
import io.redliner.redirector.service.Integration;
import io.redliner.redirector.service.Service;
import io.redliner.redirector.service.ServiceCatalog;
import io.redliner.redirector.service.Upstream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** One service of four instances, and leases on its last. */
final class Examples {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    static final Duration TTL = Duration.ofSeconds(5);

    static final Instance SUT = instance(9004);

    static final Instance PEER = instance(9001);

    static final Service SERVICE = new Service("demo", Service.DEFAULT_PROXIES,
            new Integration.Everything(new Address("127.0.0.1", 10000)), Upstream.plain(Duration.ofSeconds(15)),
            List.of(PEER, instance(9002), instance(9003), SUT));

    static final ServiceCatalog CATALOG = ServiceCatalog.of(List.of(SERVICE));

    private Examples() {}

    static Instance instance(int port) {
        return new Instance(new Address("127.0.0.1", port), 1);
    }

    static Lease lease(long epoch, long sequence, int ppm, Instant issuedAt) {
        return new Lease("demo", "run-" + epoch, epoch, sequence, SUT.address().toString(), ppm, issuedAt,
                issuedAt.plus(TTL), TTL, false, Redirect.SPLIT);
    }

    static Lease released(Lease lease) {
        return new Lease(lease.service(), lease.runId(), lease.epoch(), lease.sequence() + 1, lease.sut(), 0,
                lease.issuedAt(), lease.expiresAt(), lease.ttl(), true, lease.redirect());
    }
}
