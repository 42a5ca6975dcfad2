"""What people get biaspipe by: the action, the hook, the image, the workflows."""
