// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.envoy;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A stream to a proxy that several writers share: one at a time, and each is told when the proxy is gone. */
final class SynchronizedStreamObserver<T> extends ServerCallStreamObserver<T> {

    private final ServerCallStreamObserver<T> call;

    private final List<Runnable> cancelHandlers = new CopyOnWriteArrayList<>();

    /** @param proxy as gRPC hands it to a service */
    SynchronizedStreamObserver(StreamObserver<T> proxy) {
        this.call = (ServerCallStreamObserver<T>) proxy;
        call.setOnCancelHandler(() -> cancelHandlers.forEach(Runnable::run));
    }

    @Override
    public synchronized void onNext(T message) {
        call.onNext(message);
    }

    @Override
    public synchronized void onError(Throwable failure) {
        call.onError(failure);
    }

    @Override
    public synchronized void onCompleted() {
        call.onCompleted();
    }

    @Override
    public boolean isCancelled() {
        return call.isCancelled();
    }

    @Override
    public void setOnCancelHandler(Runnable handler) {
        cancelHandlers.add(handler);
    }

    @Override
    public void setCompression(String compression) {
        call.setCompression(compression);
    }

    @Override
    public boolean isReady() {
        return call.isReady();
    }

    @Override
    public void setOnReadyHandler(Runnable handler) {
        call.setOnReadyHandler(handler);
    }

    @Override
    public void request(int count) {
        call.request(count);
    }

    @Override
    public void setMessageCompression(boolean enable) {
        call.setMessageCompression(enable);
    }

    @Override
    public void disableAutoInboundFlowControl() {
        call.disableAutoRequest();
    }
}
