package io.slicewise.load.generator.child.http;

import java.net.URL;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.jmeter.config.ConfigTestElement;
import org.apache.jmeter.engine.event.LoopIterationEvent;
import org.apache.jmeter.protocol.http.sampler.HTTPSampleResult;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerBase;
import org.apache.jmeter.samplers.Interruptible;
import org.apache.jmeter.samplers.SampleResult;
import org.apache.jmeter.testelement.TestElement;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP request of a plan, in the place of JMeter's own element.
 *
 * <p>JMeter merges the defaults, managers and other configuration into an element before every
 * sample, and takes them out again afterwards. If nothing in the plan can change the element, the
 * result is the same each time. Then it stays as it was after the first merge.
 */
public final class PlainSampler extends HTTPSamplerBase implements Interruptible {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PlainSampler.class);

  /** What was noted; shared by the element's clones, of which each user has one. */
  private transient Set<String> notes = ConcurrentHashMap.newKeySet();

  private transient boolean isConstant;
  private transient boolean isSettled;
  private transient boolean isNoted;
  private transient RequestSettings settings;
  private transient PlainClient client;

  /** JMeter creates the clone of each user by this constructor. */
  public PlainSampler() {}

  /**
   * Returns an element with the properties of another.
   *
   * @param isConstant whether nothing else in the plan can change the element while it runs
   */
  static PlainSampler like(HTTPSamplerBase other, boolean isConstant) {
    PlainSampler own = new PlainSampler();
    own.clear();
    other.propertyIterator().forEachRemaining(own::setProperty);
    own.isConstant = isConstant;
    return own;
  }

  @Override
  public Object clone() {
    PlainSampler copy = (PlainSampler) super.clone();
    copy.isConstant = isConstant;
    copy.notes = notes;
    return copy;
  }

  @Override
  public boolean applies(ConfigTestElement config) {
    return !isSettled && super.applies(config);
  }

  @Override
  public void addTestElement(TestElement element) {
    if (!isSettled) {
      super.addTestElement(element);
    }
  }

  @Override
  public void clearTestElementChildren() {
    if (!isSettled) {
      settings = null;
      super.clearTestElementChildren();
    }
  }

  @Override
  public void recoverRunningVersion() {
    if (!isSettled) {
      super.recoverRunningVersion();
    }
  }

  /** The settings for the current sample. */
  RequestSettings settings() {
    if (settings == null) {
      settings = RequestSettings.of(this);
      isSettled = isConstant;
    }
    return settings;
  }

  @Override
  public SampleResult sample() {
    RequestSettings own = settings();
    if (own.unsupported().isPresent()) {
      note("is sent by JMeter's own client: it has " + own.unsupported().get());
      return super.sample();
    }
    note("is sent by Slicewise's client");
    try {
      String method = own.method();
      SampleResult result = sample(own.url(method), method, false, 0);
      if (result != null) {
        result.setSampleLabel(own.name());
      }
      return result;
    } catch (Exception fault) {
      return errorResult(fault, new HTTPSampleResult(0));
    }
  }

  @Override
  protected HTTPSampleResult sample(URL url, String method, boolean isRedirect, int depth) {
    if (client == null) {
      client = new PlainClient(this);
    }
    return client.sample(url, method, isRedirect, depth);
  }

  /** Writes a note about the element to the generator's log, once for all users. */
  private void note(String what) {
    if (!isNoted && notes.add(what)) {
      LOG.info("HTTP request \"{}\" {}", getName(), what);
    }
    isNoted = isSettled;
  }

  String withoutSpaces(String path) {
    return encodeSpaces(path);
  }

  @Override
  public void threadFinished() {
    if (client != null) {
      client.threadFinished();
    }
  }

  @Override
  public void testIterationStart(LoopIterationEvent event) {
    if (client != null) {
      client.notifyFirstSampleAfterLoopRestart();
    }
  }

  @Override
  public boolean interrupt() {
    return client != null && client.interrupt();
  }
}
