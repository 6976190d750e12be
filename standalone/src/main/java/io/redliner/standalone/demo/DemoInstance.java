// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;

/**
 * One HTTP instance of the demo fleet. It does no work: each request is answered when the model's queue says that it is
 * done, or refused with 503 at once when the queue is full. {@code /metrics} shows its Micrometer metrics. All its requests
 * are handled by one event loop, which is why the queue needs no lock.
 */
// Netty's futures of writes and closes are ignored: answers on a failed connection are lost with it.
@SuppressWarnings("FutureReturnValueIgnored")
final class DemoInstance implements AutoCloseable {

    private static final int MAX_REQUEST_BYTES = 64 * 1024;

    private final WorkerQueue queue;

    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final Timer answered = Timer.builder("demo.requests").tag("outcome", "answered").register(metrics);

    private final Timer refused = Timer.builder("demo.requests").tag("outcome", "refused").register(metrics);

    private final LongAdder arrivals = new LongAdder();

    private volatile long delayNanos;

    private final Channel channel;

    /** @param at where it listens; port 0 takes a free one */
    DemoInstance(InstanceModel model, RandomGenerator random, EventLoop loop, InetSocketAddress at) {
        this.queue = new WorkerQueue(model, random);
        // What Micrometer tells of the executor of a real service, under the same names.
        Gauge.builder("executor.queued", queue, waiting -> waiting.waiting(System.nanoTime())).tag("name", "workers")
                .baseUnit(BaseUnits.TASKS).register(metrics);
        Gauge.builder("executor.active", queue, busy -> busy.busy(System.nanoTime())).tag("name", "workers")
                .baseUnit(BaseUnits.THREADS).register(metrics);
        Gauge.builder("executor.pool.max", model, InstanceModel::workers).tag("name", "workers")
                .baseUnit(BaseUnits.THREADS).register(metrics);
        this.channel = new ServerBootstrap().group(loop).channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        connection.pipeline().addLast(new HttpServerCodec(),
                                new HttpObjectAggregator(MAX_REQUEST_BYTES), new RequestHandler());
                    }
                }).bind(at).syncUninterruptibly().channel();
    }

    /** host:port */
    String address() {
        InetSocketAddress local = (InetSocketAddress) channel.localAddress();
        return local.getAddress().getHostAddress() + ":" + local.getPort();
    }

    /** Requests that arrived so far, refused ones included. */
    long arrivals() {
        return arrivals.sum();
    }

    /** Delays each later answer by this time. */
    void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Returns the metrics that {@code /metrics} shows. */
    MeterRegistry metrics() {
        return metrics;
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }

    private static void answer(ChannelHandlerContext context, HttpResponseStatus status, String text) {
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        context.writeAndFlush(response);
    }

    private final class RequestHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            if (request.uri().equals("/metrics")) {
                answer(context, HttpResponseStatus.OK, metrics.scrape());
                return;
            }
            arrivals.increment();
            long arrival = System.nanoTime();
            OptionalLong done = queue.arrive(arrival);
            if (done.isEmpty()) {
                refused.record(System.nanoTime() - arrival, TimeUnit.NANOSECONDS);
                answer(context, HttpResponseStatus.SERVICE_UNAVAILABLE, "queue full\n");
                return;
            }
            context.executor().schedule(() -> {
                answered.record(System.nanoTime() - arrival, TimeUnit.NANOSECONDS);
                answer(context, HttpResponseStatus.OK, "done\n");
            }, done.getAsLong() + delayNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // The peer went away; its request stays counted in the queue, as it would in a real server.
            context.close();
        }
    }
}
