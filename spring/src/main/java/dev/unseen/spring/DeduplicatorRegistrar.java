package dev.unseen.spring;

import dev.unseen.Deduplicator;
import dev.unseen.client.ReservationStore;
import java.util.Map;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.AutowireCandidateQualifier;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/**
 * Registers a bean for each deduplicator that the properties name, unless the application has a
 * bean of that name.
 */
class DeduplicatorRegistrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {
  private static final ResolvableType TYPE =
      ResolvableType.forClassWithGenerics(Deduplicator.class, String.class);

  static final String RESERVATIONS = "reservations";

  private Environment environment;

  @Override
  public void setEnvironment(Environment environment) {
    this.environment = environment;
  }

  static String beanName(String name) {
    return name.equals(DeduplicatorFactory.DEFAULT) ? "deduplicator" : name + "Deduplicator";
  }

  @Override
  public void registerBeanDefinitions(
      AnnotationMetadata importing, BeanDefinitionRegistry registry) {
    Binder.get(environment)
        .bind("unseen.deduplicators", Bindable.mapOf(String.class, DeduplicatorProperties.class))
        .orElse(Map.of())
        .forEach((name, properties) -> register(name, properties.remote().uri() != null, registry));
  }

  private static void register(String name, boolean remote, BeanDefinitionRegistry registry) {
    if (name.equals(DeduplicatorFactory.DEFAULT)) {
      throw new BadOptionException(
          "The properties name a deduplicator 'default', which is the one right below unseen.",
          "Set its properties right below unseen, such as unseen.memory, or choose another name.",
          null);
    }
    String beanName = remote ? name + "Reservations" : beanName(name);
    if (registry.containsBeanDefinition(beanName)) {
      return;
    }
    RootBeanDefinition bean = new RootBeanDefinition();
    bean.setTargetType(remote ? ResolvableType.forClass(ReservationStore.class) : TYPE);
    bean.setFactoryBeanName(UnseenAutoConfiguration.FACTORY);
    bean.setFactoryMethodName(remote ? "connect" : "create");
    bean.getConstructorArgumentValues().addGenericArgumentValue(name);
    bean.addQualifier(new AutowireCandidateQualifier(Qualifier.class, name));
    registry.registerBeanDefinition(beanName, bean);
  }
}
