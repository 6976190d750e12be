// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.demo;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The instances of the demo's service. */
public final class DemoFleet implements AutoCloseable {

    private final EventLoopGroup loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

    private final List<DemoInstance> instances;

    private DemoFleet(List<InstanceModel> models, long seed, InetAddress host, int firstPort) {
        SplittableRandom random = new SplittableRandom(seed);
        this.instances = IntStream.range(0, models.size())
                .mapToObj(i -> new DemoInstance(models.get(i), random.split(), loops.next(),
                        new InetSocketAddress(host, firstPort == 0 ? 0 : firstPort + i)))
                .toList();
    }

    /**
     * Starts one instance for each model, each on a free port of the loopback interface; the same service times come for the
     * same seed.
     */
    public static DemoFleet start(List<InstanceModel> models, long seed) {
        return start(models, seed, InetAddress.getLoopbackAddress(), 0);
    }

    /**
     * Starts one instance for each model.
     *
     * @param host an address of this machine
     * @param firstPort the first one's TCP port, the others have those after it; 0: free ones
     */
    public static DemoFleet start(List<InstanceModel> models, long seed, InetAddress host, int firstPort) {
        return new DemoFleet(models, seed, host, firstPort);
    }

    /** Returns the instances' host:port, in the order of their models. */
    public List<String> addresses() {
        return instances.stream().map(DemoInstance::address).toList();
    }

    /** Returns the requests that arrived at each instance so far, by host:port: the true distribution of the traffic. */
    public Map<String, Long> arrivals() {
        return instances.stream().collect(Collectors.toMap(DemoInstance::address, DemoInstance::arrivals));
    }

    /** Delays each later answer of an instance by this time: for tests of instances that become slower. */
    public void delay(String address, Duration delay) {
        instance(address).delay(delay);
    }

    /** Returns the metrics of an instance at {@code /metrics}, to which tests add their own. */
    public MeterRegistry metrics(String address) {
        return instance(address).metrics();
    }

    private DemoInstance instance(String address) {
        return instances.stream().filter(instance -> instance.address().equals(address)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("No instance of the fleet is " + address));
    }

    @Override
    public void close() {
        instances.forEach(DemoInstance::close);
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
