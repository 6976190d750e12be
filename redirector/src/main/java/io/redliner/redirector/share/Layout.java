// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.share;

import io.redliner.redirector.service.Instance;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How one service's clusters and route are laid out. A route must never name a cluster that a proxy does not have yet,
 * or has no more, so each way takes two phases:
 *
 * <pre>
 * Plain -> Preparing(sut) --clusters proven--> Split(sut)
 * Preparing(sut), Split(sut) --no lease on the sut--> Returning(sut)
 * Returning(sut) --plain route proven, linger over--> Plain
 * Returning(sut) --lease on it--> Preparing(sut)
 * </pre>
 */
public sealed interface Layout {

    /** The instance that has clusters of its own, or empty. */
    Optional<Instance> sut();

    /** Whether the route goes to those clusters. */
    default boolean split() {
        return this instanceof Split;
    }

    /** One cluster with all instances. */
    record Plain() implements Layout {

        @Override
        public Optional<Instance> sut() {
            return Optional.empty();
        }
    }

    /** The two clusters are there; the route is plain. */
    record Preparing(Instance instance) implements Layout {

        @Override
        public Optional<Instance> sut() {
            return Optional.of(instance);
        }
    }

    /** The route is split between the peers and the instance. */
    record Split(Instance instance) implements Layout {

        @Override
        public Optional<Instance> sut() {
            return Optional.of(instance);
        }
    }

    /**
     * The route is plain again; the two clusters stay until every proxy has proven it and their last requests ended.
     *
     * @param since when the route was sent
     */
    record Returning(Instance instance, Instant since) implements Layout {

        @Override
        public Optional<Instance> sut() {
            return Optional.of(instance);
        }
    }

    /**
     * The layout to go to.
     *
     * @param wanted the instance that a lease is held on, or empty
     * @param proven whether every connected proxy, and at least one, has acknowledged the present layout
     * @param linger how long unused clusters stay
     */
    default Layout next(Optional<Instance> wanted, boolean proven, Duration linger, Instant now) {
        return switch (this) {
            case Plain plain -> wanted.<Layout>map(Preparing::new).orElse(plain);
            case Preparing preparing -> {
                if (!wanted.equals(preparing.sut())) {
                    yield new Returning(preparing.instance(), now);
                }
                yield proven ? new Split(preparing.instance()) : preparing;
            }
            case Split split -> wanted.equals(split.sut()) ? split : new Returning(split.instance(), now);
            case Returning returning -> {
                if (wanted.equals(returning.sut())) {
                    yield new Preparing(returning.instance());
                }
                if (!proven) {
                    yield returning;
                }
                if (wanted.isPresent()) {
                    yield new Preparing(wanted.get());
                }
                yield now.isBefore(returning.since().plus(linger)) ? returning : new Plain();
            }
        };
    }
}
