// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of a proxy's requests, to two ends: the shares, and the rest. */
final class XdsRequestObserver<T> implements StreamObserver<T> {

    private static final Logger LOGGER = LoggerFactory.getLogger(XdsRequestObserver.class);

    private final ShareSession shares;

    private final StreamObserver<?> rest;

    private final Consumer<T> next;

    /** @param next takes each request to the right end */
    XdsRequestObserver(SynchronizedStreamObserver<?> call, ShareSession shares, StreamObserver<?> rest,
            Consumer<T> next) {
        this.shares = shares;
        this.rest = rest;
        this.next = next;
        call.setOnCancelHandler(shares::close);
    }

    @Override
    public void onNext(T request) {
        try {
            next.accept(request);
        } catch (RuntimeException broken) {
            LOGGER.warn("a proxy's request cannot be dealt with; its stream ends", broken);
            onError(Status.INTERNAL.withDescription(broken.toString()).withCause(broken).asRuntimeException());
        }
    }

    @Override
    public void onError(Throwable broken) {
        shares.close();
        rest.onError(broken);
    }

    @Override
    public void onCompleted() {
        shares.close();
        rest.onCompleted();
    }
}
