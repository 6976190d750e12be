// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** The instances of the demo's service, each on a free port of the loopback interface. */
public final class DemoFleet implements AutoCloseable {

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    private final List<DemoInstance> instances;

    private DemoFleet(List<InstanceModel> models, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        this.instances = models.stream().map(model -> new DemoInstance(model, random.split(), loops.next())).toList();
    }

    /** Starts one instance for each model. */
    static DemoFleet start(List<InstanceModel> models, long seed) {
        return new DemoFleet(models, seed);
    }

    /** The instances' host:port, in the order of their models. */
    public List<String> addresses() {
        return instances.stream().map(DemoInstance::address).toList();
    }

    /** Requests that arrived at each instance so far, by host:port: the truth about where the traffic goes. */
    public Map<String, Long> arrivals() {
        return instances.stream().collect(Collectors.toMap(DemoInstance::address, DemoInstance::arrivals));
    }

    @Override
    public void close() {
        instances.forEach(DemoInstance::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
