// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.http;

import io.redliner.collector.http.RequestFailedException.RequestFailureReason;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Keeps the body of an answer while it comes, and cuts it off at a number of bytes. */
final class LimitedBodySubscriber implements BodySubscriber<byte[]>, AutoCloseable {

    private final String setting;

    private final long maxBytes;

    private final Semaphore budget;

    private final CompletableFuture<byte[]> body = new CompletableFuture<>();

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private int taken;

    private boolean closed;

    private Flow.@Nullable Subscription subscription;

    /**
     * Creates a subscriber.
     *
     * @param setting the prefix of the settings that messages name
     * @param budget the bytes of all answers under way together
     */
    LimitedBodySubscriber(String setting, long maxBytes, Semaphore budget) {
        this.setting = setting;
        this.maxBytes = maxBytes;
        this.budget = budget;
    }

    /** Cancels the answer, and fails the body. */
    synchronized void refuse(RequestFailedException failure) {
        closed = true;
        Flow.Subscription running = subscription;
        if (running != null) {
            running.cancel();
        }
        body.completeExceptionally(failure);
    }

    @Override
    public CompletionStage<byte[]> getBody() {
        return body;
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription beginning) {
        if (closed) {
            beginning.cancel();
        } else {
            subscription = beginning;
            beginning.request(Long.MAX_VALUE);
        }
    }

    @Override
    public synchronized void onNext(List<ByteBuffer> more) {
        for (ByteBuffer buffer : more) {
            if (!closed) {
                keep(buffer);
            }
        }
    }

    @Override
    public void onError(Throwable failure) {
        body.completeExceptionally(failure);
    }

    @Override
    public synchronized void onComplete() {
        body.complete(bytes.toByteArray());
    }

    /** Returns the bytes to the budget, because the body has been read. */
    @Override
    public synchronized void close() {
        closed = true;
        budget.release(taken);
        taken = 0;
    }

    private void keep(ByteBuffer buffer) {
        int size = buffer.remaining();
        if ((long) taken + size > maxBytes) {
            refuse(new RequestFailedException(RequestFailureReason.TOO_LARGE,
                    "its answer was cut off, for it is larger than "
                            + maxBytes + " bytes; see " + setting + ".max-bytes"));
        } else if (budget.tryAcquire(size)) {
            taken += size;
            byte[] some = new byte[size];
            buffer.get(some);
            bytes.write(some, 0, size);
        } else {
            refuse(new RequestFailedException(RequestFailureReason.TOO_LARGE,
                    "its answer was cut off, for too many large ones came at the same time"));
        }
    }
}
