// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.accesslog;

import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.IoHandlerFactory;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.epoll.Epoll;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollIoHandler;
import io.grpc.netty.shaded.io.netty.channel.epoll.EpollServerSocketChannel;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioServerSocketChannel;
import io.redliner.collector.concurrent.EventLoops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The threads that read from the proxies and count what they read: counting takes less time than handing it to another thread
 * would.
 */
final class AccessLogEventLoops implements EventLoops, AutoCloseable {

    private static final ThreadFactory NAMED = Thread.ofPlatform().name("redliner-collector-proxy-", 0).daemon()
            .factory();

    private static final long STOP_TIMEOUT_MILLIS = 500;

    private final EventLoopGroup group;

    /** @param threads 1 or more */
    AccessLogEventLoops(int threads) {
        IoHandlerFactory factory = Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        group = new MultiThreadIoEventLoopGroup(threads, NAMED, factory);
    }

    /** Lets a server use these threads for accepting, reading and calling. */
    NettyServerBuilder serve(NettyServerBuilder builder) {
        return builder.bossEventLoopGroup(group).workerEventLoopGroup(group).directExecutor()
                .channelType(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class);
    }

    @Override
    public List<Executor> loops() {
        List<Executor> loops = new ArrayList<>();
        group.forEach(loops::add);
        return loops;
    }

    /** Stops the threads. They are daemons: a thread that does not end in time ends with the process. */
    @Override
    public void close() {
        group.shutdownGracefully(0, STOP_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_TIMEOUT_MILLIS);
    }
}
