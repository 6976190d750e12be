// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.web;

import io.redliner.controller.service.persistence.UnreadableRowException;
import io.redliner.controller.service.problem.ProblemException;
import io.redliner.controller.service.problem.ProblemType;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedRuntimeException;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** The followers of a stream of server-sent events. Each has a thread of its own, so that a slow one delays no other. */
final class SseSubscribers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(SseSubscribers.class);

    private static final int MAX_SUBSCRIBERS = 500;

    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();

    /** Sends the events of a stream, and ends it when it returns. */
    @FunctionalInterface
    interface EventSource {

        void send(SseEmitter emitter) throws IOException, InterruptedException;
    }

    /** Adds a follower, whose client connects again when the stream breaks off. */
    SseEmitter follow(String name, EventSource source) {
        if (threads.size() >= MAX_SUBSCRIBERS) {
            throw new ProblemException(ProblemType.TOO_MANY_FOLLOWERS, "at most " + MAX_SUBSCRIBERS + " at once");
        }
        SseEmitter emitter = new UnbufferedEmitter();
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> send(emitter, name, source));
        threads.add(thread);
        emitter.onError(failure -> thread.interrupt());
        emitter.onCompletion(thread::interrupt);
        thread.start();
        return emitter;
    }

    void send(SseEmitter emitter, String name, EventSource source) {
        try {
            source.send(emitter);
            end(emitter);
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a follower of {} left", name, gone);
        } catch (InterruptedException closing) {
            end(emitter);
        } catch (NestedRuntimeException failure) {
            LOG.warn("{} cannot be read: {}", name, failure.getMostSpecificCause().getMessage());
            fail(emitter, ProblemType.DATABASE_UNAVAILABLE, "the database does not answer");
        } catch (UnreadableRowException failure) {
            LOG.error("{} cannot be streamed: {}", name, failure.getMessage());
            fail(emitter, ProblemType.STORED_UNREADABLE, String.valueOf(failure.getMessage()));
        } catch (RuntimeException failure) {
            LOG.error("{} cannot be streamed", name, failure);
            fail(emitter, ProblemType.INTERNAL, name + " cannot be streamed");
        } finally {
            threads.remove(Thread.currentThread());
        }
    }

    /** Ends a stream with the event {@code error}, whose data is the problem. */
    private static void fail(SseEmitter emitter, ProblemType type, String detail) {
        try {
            emitter.send(SseEmitter.event().name("error").data(type.problem(detail, Map.of())));
            end(emitter);
        } catch (IOException | IllegalStateException gone) {
            LOG.debug("a follower left before the failure was sent", gone);
        }
    }

    /** The container may have ended the request already, as its client is gone. */
    private static void end(SseEmitter emitter) {
        try {
            emitter.complete();
        } catch (IllegalStateException gone) {
            LOG.debug("a follower left before its stream was ended", gone);
        }
    }

    /** An emitter whose events no proxy on the way buffers, as nginx does by default. */
    private static final class UnbufferedEmitter extends SseEmitter {

        UnbufferedEmitter() {
            super(0L);
        }

        @Override
        protected void extendResponse(ServerHttpResponse response) {
            super.extendResponse(response);
            response.getHeaders().set("X-Accel-Buffering", "no");
        }
    }

    @Override
    public void close() {
        threads.forEach(Thread::interrupt);
    }
}
